import { fileURLToPath } from 'node:url';
import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import PDFDocument from 'pdfkit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Instant } from '../../time.ts';
import type { Texts } from '../texts/index.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;
type Pdf = PDFKit.PDFDocument;

/** US Letter in points. */
const MARGIN = 54;
const WIDTH = 612 - 2 * MARGIN;
const BOTTOM = 792 - MARGIN;
const GAP = 6;

/** Roboto, Apache License 2.0: Latin, Greek and Cyrillic letters. */
const font = (name: string) => fileURLToPath(new URL(`./fonts/Roboto-${name}.ttf`, import.meta.url));

/**
 * Returns a signed document as a PDF with numbered pages and tags for screen readers. It has the text of the stored page, so that both
 * state the same. The same page gives the same bytes.
 *
 * @param html - The stored page, see `documentOf`.
 */
export async function pdfOf(html: string, signedAt: Instant, t: Texts): Promise<Buffer> {
  const page = parse(html);
  const [title] = elements(page, 'title');
  const [main] = elements(page, 'main');
  const pdf = newPdf({
    size: 'LETTER',
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: t.language,
    displayTitle: true,
    info: { Title: title ? textOf(title) : '', CreationDate: new Date(signedAt) },
  });
  const done = collect(pdf);

  const root = pdf.struct('Document');
  pdf.addStructure(root);
  if (main) addBlocks(pdf, root, main);
  root.end();
  numberPages(pdf, t);
  pdf.end();
  return done;
}

function newPdf(options: PDFKit.PDFDocumentOptions): Pdf {
  const pdf = new PDFDocument({ margin: MARGIN, ...options });
  pdf.registerFont('regular', font('Regular'));
  pdf.registerFont('bold', font('Bold'));
  return pdf;
}

function collect(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}

/** Adds the blocks in an element, in order. Elements that the page hides when it is printed are left out. */
function addBlocks(pdf: Pdf, parent: PDFKit.PDFStructureElement, element: Element): void {
  for (const child of childElements(element)) {
    if (isOfClass(child, 'keep')) continue;
    switch (child.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
        addHeading(pdf, parent, child);
        break;
      case 'p':
        addText(pdf, parent, 'P', child);
        break;
      case 'ul':
      case 'ol':
        for (const item of childElements(child)) addText(pdf, parent, 'LI', item, '• ');
        break;
      case 'dl':
        for (const row of childElements(child)) addRow(pdf, parent, row);
        pdf.moveDown(0.5);
        break;
      case 'table':
        addTable(pdf, parent, child);
        break;
      case 'section':
        addSection(pdf, parent, child);
        break;
      default:
        addBlocks(pdf, parent, child);
    }
  }
}

/** Adds a section. The disclosures are segregated by a frame and are on one page: 12 CFR 1026.17(a)(1). */
function addSection(pdf: Pdf, parent: PDFKit.PDFStructureElement, section: Element): void {
  const group = pdf.struct('Sect');
  parent.add(group);
  if (!isOfClass(section, 'tila')) {
    addBlocks(pdf, group, section);
    group.end();
    return;
  }
  keepTogether(pdf, heightOf(section) + 3 * GAP);
  const top = pdf.y;
  pdf.y += GAP;
  addBlocks(pdf, group, section);
  group.end();
  pdf.rect(MARGIN - GAP, top, WIDTH + 2 * GAP, pdf.y - top).stroke();
  pdf.moveDown();
}

/** Returns the height of the content of a section, by drawing it on a page that is high enough. */
function heightOf(section: Element): number {
  const scratch = newPdf({ size: [612, 10_000] });
  addBlocks(scratch, scratch.struct('Sect'), section);
  return scratch.y - MARGIN;
}

const HEADING_SIZES: Readonly<Record<string, number>> = { h1: 18, h2: 12, h3: 10.5, caption: 10.5 };

function addHeading(pdf: Pdf, parent: PDFKit.PDFStructureElement, heading: Element): void {
  const size = HEADING_SIZES[heading.tagName]!;
  keepTogether(pdf, 5 * size);
  add(pdf, parent, heading.tagName === 'caption' ? 'Caption' : heading.tagName.toUpperCase(), () => {
    pdf.moveDown(0.4);
    pdf.font('bold').fontSize(size).text(textOf(heading), MARGIN, pdf.y, { width: WIDTH });
    pdf.moveDown(0.2);
  });
}

/** Adds text with bold parts. */
function addText(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: string, element: Element, prefix = ''): void {
  const runs = runsOf(element);
  add(pdf, parent, tag, () => {
    pdf.fontSize(10).x = MARGIN;
    runs.forEach(({ text, isBold }, index) => {
      const isContinued = index < runs.length - 1;
      pdf.font(isBold ? 'bold' : 'regular').text(index === 0 ? prefix + text : text, { width: WIDTH, continued: isContinued });
    });
    pdf.moveDown(0.4);
  });
}

/** Adds a label and its value, in two columns with a line below. The meaning of a disclosed figure is below its label. */
function addRow(pdf: Pdf, parent: PDFKit.PDFStructureElement, row: Element): void {
  const [label, value] = childElements(row);
  if (!label || !value) return;
  const [figure] = elements(value, 'strong');
  const [meaning] = elements(value, 'span');
  const isProminent = isOfClass(row, 'prominent');
  const isBold = figure !== undefined || isOfClass(row, 'total');
  addCells(pdf, parent, 'P', [
    { text: textOf(label), width: WIDTH / 2, size: isProminent ? 12 : 10, isBold: isProminent, note: meaning && textOf(meaning) },
    { text: textOf(figure ?? value), width: WIDTH / 2, size: isProminent ? 14 : 10, isBold },
  ]);
}

interface Cell {
  text: string;
  width: number;
  size: number;
  isBold: boolean;
  /** Smaller text below. */
  note?: string | undefined;
}

/** Adds cells side by side, on one page, with a line below. */
function addCells(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: 'P' | 'TR', cells: readonly Cell[]): void {
  const parts = cells.map(({ text, width, size, isBold, note }) => [
    { text, width: width - GAP, size, isBold },
    ...(note ? [{ text: note, width: width - GAP, size: 8, isBold: false }] : []),
  ]);
  const lineHeight = ({ text, width, size, isBold }: Cell) =>
    pdf
      .font(isBold ? 'bold' : 'regular')
      .fontSize(size)
      .heightOfString(text, { width });
  const height = Math.max(...parts.map((lines) => lines.reduce((sum, line) => sum + lineHeight(line), 0)));
  keepTogether(pdf, height + GAP);
  const { y: top } = pdf;
  const row = pdf.struct(tag);
  parent.add(row);
  let x = MARGIN;
  cells.forEach(({ width }, index) => {
    add(pdf, row, tag === 'TR' ? 'TD' : 'Span', () => {
      pdf.y = top;
      for (const line of parts[index]!) {
        pdf
          .font(line.isBold ? 'bold' : 'regular')
          .fontSize(line.size)
          .text(line.text, x, pdf.y, { width: line.width });
      }
    });
    x += width;
  });
  row.end();
  const bottom = top + height + 2;
  pdf
    .moveTo(MARGIN, bottom)
    .lineTo(MARGIN + WIDTH, bottom)
    .lineWidth(0.4)
    .stroke();
  pdf.y = bottom + 3;
}

/** Adds a table with columns of equal width. Its header is repeated on each page. */
function addTable(pdf: Pdf, parent: PDFKit.PDFStructureElement, table: Element): void {
  const [caption] = elements(table, 'caption');
  if (caption) addHeading(pdf, parent, caption);
  const group = pdf.struct('Table');
  parent.add(group);
  const rows = elements(table, 'tr').map((row) => ({ row, isHeader: elements(row, 'td').length === 0 }));
  const addTableRow = ({ row, isHeader }: (typeof rows)[number]) => {
    const texts = childElements(row).map(textOf);
    const cells = texts.map((text) => ({ text, width: WIDTH / texts.length, size: 9, isBold: isHeader }));
    addCells(pdf, group, 'TR', cells);
  };
  const header = rows.find(({ isHeader }) => isHeader);
  for (const each of rows) {
    const isFull = pdf.y > BOTTOM - 3 * GAP;
    if (isFull) pdf.addPage();
    if (isFull && header && !each.isHeader) addTableRow(header);
    addTableRow(each);
  }
  group.end();
  pdf.moveDown(0.5);
}

/** Draws the content of a structure element, so that screen readers know what it is. */
function add(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
  parent.add(pdf.struct(tag, {}, draw));
}

/** Continues on a new page if less than this height is left. */
function keepTogether(pdf: Pdf, height: number): void {
  if (pdf.y + height > BOTTOM) pdf.addPage();
}

function numberPages(pdf: Pdf, { document }: Texts): void {
  const { count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    pdf.switchToPage(index);
    // Text below the margin would start another page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    const text = fill(document.page, { n: index + 1, count });
    pdf
      .font('regular')
      .fontSize(8)
      .text(text, MARGIN, BOTTOM + 2 * GAP, { width: WIDTH, align: 'center', lineBreak: false });
    pdf.endMarkedContent();
  }
}

interface Run {
  text: string;
  isBold: boolean;
}

/** Returns the text of an element in parts of one weight, with spaces as the page shows them. */
function runsOf(element: Element, isBold = false): Run[] {
  const runs = element.childNodes.flatMap((child): Run[] => {
    if (defaultTreeAdapter.isTextNode(child)) return [{ text: child.value.replace(/\s+/g, ' '), isBold }];
    return defaultTreeAdapter.isElementNode(child) ? runsOf(child, isBold || child.tagName === 'strong') : [];
  });
  const [first] = runs;
  if (first) first.text = first.text.trimStart();
  return runs.filter(({ text }) => text !== '');
}

function textOf(element: Element): string {
  const join = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => {
        if (defaultTreeAdapter.isTextNode(node)) return node.value;
        return defaultTreeAdapter.isElementNode(node) ? join(node.childNodes) : '';
      })
      .join('');
  return join(element.childNodes).replace(/\s+/g, ' ').trim();
}

function childElements({ childNodes }: Pick<Element, 'childNodes'>): Element[] {
  return childNodes.filter((node) => defaultTreeAdapter.isElementNode(node));
}

/** Returns all elements of a name below a node, in order. */
function elements(node: Pick<Element, 'childNodes'>, name: string): Element[] {
  return childElements(node).flatMap((child) => [...(child.tagName === name ? [child] : []), ...elements(child, name)]);
}

function isOfClass({ attrs }: Element, name: string): boolean {
  return attrs.some((attribute) => attribute.name === 'class' && attribute.value.split(' ').includes(name));
}
