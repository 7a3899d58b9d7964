import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import PDFDocument from 'pdfkit';
import { fill } from '../../shared/languages/texts.ts';
import type { Texts } from '../base/texts.ts';
import type { Instant } from '../base/time.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;
type Pdf = PDFKit.PDFDocument;

const fileOf = (name: string) => fileURLToPath(new URL(`./fonts/Roboto-${name}.ttf`, import.meta.url));

/** Roboto, Apache License 2.0: Latin, Greek and Cyrillic letters. */
export const fontFiles = { regular: fileOf('Regular'), bold: fileOf('Bold') };

/** In points, 72 to an inch. US Letter is 612 by 792. */
const MARGIN = 54;
const WIDTH = 612 - 2 * MARGIN;
const GAP = 6;
const COLUMN_GAP = 14;
const LINE_COLOR = '#8a8f98';

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
    // So that `numberPages` can return to pages that are complete.
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: t.language,
    displayTitle: true,
    info: { Title: title ? textOf(title) : '', CreationDate: new Date(signedAt) },
  });

  const root = pdf.struct('Document');
  pdf.addStructure(root);
  if (main) addBlocks(pdf, root, main);
  root.end();
  numberPages(pdf, t);
  pdf.end();
  return buffer(pdf);
}

function newPdf(options: PDFKit.PDFDocumentOptions): Pdf {
  const pdf = new PDFDocument({ margin: MARGIN, ...options });
  pdf.registerFont('regular', fontFiles.regular);
  pdf.registerFont('bold', fontFiles.bold);
  return pdf;
}

/** Adds the blocks in an element, in order, except the advice to keep the document (`keep`), which is not printed either. */
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
        if (isOfClass(child, 'letterhead')) addLetterhead(pdf, parent, child);
        else addText(pdf, parent, 'P', child);
        break;
      case 'ul':
        addList(pdf, parent, child);
        break;
      case 'dl':
        if (childElements(child).some((cell) => isOfClass(cell, 'prominent'))) addFigures(pdf, parent, child);
        else for (const row of childElements(child)) addRow(pdf, parent, row, isOfClass(child, 'totals'));
        pdf.moveDown(0.5);
        break;
      case 'table':
        addTable(pdf, parent, child);
        break;
      default:
        addGroup(pdf, parent, child);
    }
  }
}

/** Classes of the sections that are not divided between pages: the disclosures, the tables of amounts, and the signature. */
const KEPT_TOGETHER = ['tila', 'sums', 'signature'];

/**
 * Adds a section or a division. The Truth in Lending Act disclosures (`tila`) are segregated by a frame and are on one page: 12 CFR
 * 1026.17(a)(1).
 */
function addGroup(pdf: Pdf, parent: PDFKit.PDFStructureElement, element: Element): void {
  // The agreement in English, after the one that was signed in another language.
  if (isOfClass(element, 'english')) pdf.addPage();
  const isFramed = isOfClass(element, 'tila');
  // The reserve is for the last heading or paragraph, which starts another page if it may not fit with what follows.
  if (KEPT_TOGETHER.some((name) => isOfClass(element, name))) keepTogether(pdf, heightOf(pdf, element) + SHORT_PARAGRAPH);
  const lang = element.attrs.find(({ name }) => name === 'lang')?.value;
  const group = pdf.struct(element.tagName === 'section' ? 'Sect' : 'Div', lang === undefined ? {} : { lang });
  parent.add(group);
  const { y: top } = pdf;
  if (isFramed) pdf.y += GAP;
  addBlocks(pdf, group, element);
  group.end();
  if (!isFramed) return;
  drawLayout(pdf, () =>
    pdf
      .rect(MARGIN - GAP, top, WIDTH + 2 * GAP, pdf.y - top)
      .lineWidth(1)
      .stroke('black'),
  );
  pdf.moveDown();
}

/** For each PDF, another document in which its sections are measured. One for all sections, because parsing the fonts takes long. */
const scratches = new WeakMap<Pdf, { scratch: Pdf; root: PDFKit.PDFStructureElement }>();

function scratchOf(pdf: Pdf) {
  const existing = scratches.get(pdf);
  if (existing) return existing;
  // High enough for any section, so that nothing continues on another page.
  const scratch = newPdf({ size: [612, 50_000] });
  const root = scratch.struct('Document');
  // Only what is part of the document's structure is drawn.
  scratch.addStructure(root);
  const created = { scratch, root };
  scratches.set(pdf, created);
  return created;
}

/** Returns the height of the content of a section, by drawing it in the scratch document. */
function heightOf(pdf: Pdf, section: Element): number {
  const { scratch, root } = scratchOf(pdf);
  const { y: top } = scratch;
  addBlocks(scratch, root, section);
  return scratch.y - top;
}

const HEADING_SIZES: Readonly<Record<string, number>> = { h1: 18, h2: 12, h3: 10.5, caption: 10.5 };

function addHeading(pdf: Pdf, parent: PDFKit.PDFStructureElement, heading: Element): void {
  const size = HEADING_SIZES[heading.tagName]!;
  // With the beginning of what follows: a short paragraph, or another heading and its paragraph.
  const following = SHORT_PARAGRAPH + 2 * GAP + (heading.tagName === 'h1' ? 2 * HEADING_SIZES['h2']! : 0);
  keepTogether(pdf, 2 * size + following);
  add(pdf, parent, heading.tagName === 'caption' ? 'Caption' : heading.tagName.toUpperCase(), () => {
    pdf.font('bold').fontSize(size).moveDown(0.4);
    pdf.text(textOf(heading), MARGIN, pdf.y, { width: WIDTH });
    pdf.moveDown(0.2);
  });
}

/** Adds the lender's name, with a line below. */
function addLetterhead(pdf: Pdf, parent: PDFKit.PDFStructureElement, letterhead: Element): void {
  const lines = [{ text: textOf(letterhead), size: 13, isBold: true }];
  addCells(pdf, parent, 'P', [{ tag: 'Span', lines, x: MARGIN, width: WIDTH }]);
}

/** Paragraphs up to this height are not divided between pages. */
const SHORT_PARAGRAPH = 64;

/** Adds text with bold parts. */
function addText(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: string, element: Element, indent = 0): void {
  const runs = runsOf(element);
  const width = WIDTH - indent;
  keepTogether(pdf, heightOfStart(pdf, runs, width));
  add(pdf, parent, tag, () => {
    pdf.x = MARGIN + indent;
    runs.forEach(({ text: part, isBold }, index) => {
      const isContinued = index < runs.length - 1;
      pdf
        .font(isBold ? 'bold' : 'regular')
        .fontSize(10)
        .text(part, { width, continued: isContinued });
    });
    pdf.moveDown(0.4);
  });
}

/** Returns the height of a short paragraph, or of the first lines of a long one. */
function heightOfStart(pdf: Pdf, runs: readonly Run[], width: number): number {
  const text = runs.map((run) => run.text).join('');
  return Math.min(pdf.font('bold').fontSize(10).heightOfString(text, { width }), SHORT_PARAGRAPH);
}

const LIST_INDENT = 12;

/** Adds a list. Its tags are those of PDF: `L` for the list, `LI` for an item, `Lbl` for its bullet and `LBody` for its text. */
function addList(pdf: Pdf, parent: PDFKit.PDFStructureElement, list: Element): void {
  const group = pdf.struct('L');
  parent.add(group);
  for (const child of childElements(list)) {
    const item = pdf.struct('LI');
    group.add(item);
    // With its bullet.
    keepTogether(pdf, heightOfStart(pdf, runsOf(child), WIDTH - LIST_INDENT));
    const { y: top } = pdf;
    add(pdf, item, 'Lbl', () => pdf.font('regular').fontSize(10).text('•', MARGIN, top, { lineBreak: false }));
    pdf.y = top;
    addText(pdf, item, 'LBody', child, LIST_INDENT);
    item.end();
  }
  group.end();
}

/** A line of text in a cell. */
interface Line {
  text: string;
  size: number;
  isBold: boolean;
}

interface Cell {
  tag: 'Span' | 'TD' | 'TH' | 'P';
  lines: readonly Line[];
  x: number;
  width: number;
  /** For amounts. */
  align?: 'right' | undefined;
}

function setFont(pdf: Pdf, { size, isBold }: Line): Pdf {
  return pdf.font(isBold ? 'bold' : 'regular').fontSize(size);
}

/** Adds a label and its value, in two columns with a line below. */
function addRow(pdf: Pdf, parent: PDFKit.PDFStructureElement, row: Element, isAmount: boolean): void {
  const [label, value] = childElements(row);
  if (!label || !value) return;
  const labelWidth = isAmount ? (WIDTH * 3) / 4 : WIDTH * 0.3;
  const isBold = isOfClass(row, 'total');
  const cell = { tag: 'Span', size: 10, isBold } as const;
  addCells(pdf, parent, 'P', [
    { tag: 'Span', lines: [{ ...cell, text: textOf(label) }], x: MARGIN, width: labelWidth - COLUMN_GAP },
    {
      tag: 'Span',
      lines: [{ ...cell, text: textOf(value) }],
      x: MARGIN + labelWidth,
      width: WIDTH - labelWidth,
      align: isAmount ? 'right' : undefined,
    },
  ]);
}

/** Adds the disclosed figures side by side in boxes, each with its label and meaning, as in model form H-2. */
function addFigures(pdf: Pdf, parent: PDFKit.PDFStructureElement, list: Element): void {
  const figures = childElements(list);
  const boxWidth = WIDTH / figures.length;
  const { y: top } = pdf;
  const cells = figures.map((figure, index): Cell => {
    const isProminent = isOfClass(figure, 'prominent');
    const line = (name: string, size: number, isBold: boolean) => ({
      text: elements(figure, name).map(textOf).join(' '),
      size,
      isBold,
    });
    const lines = [line('dt', 10, isProminent), line('strong', isProminent ? 17 : 12, true), line('span', 8, false)];
    return { tag: 'P', lines, x: MARGIN + index * boxWidth + GAP, width: boxWidth - 2 * GAP };
  });
  pdf.y += GAP;
  // Labels, figures and meanings are aligned, regardless of the length of the others.
  for (const index of [0, 1, 2]) {
    const { y } = pdf;
    const part = cells.map((cell) => ({ ...cell, lines: [cell.lines[index]!] }));
    const largest = Math.max(...part.map(({ lines: [line] }) => line!.size));
    // Figures of two sizes are on one baseline, which is about 0.8 of the size of the font below the top of a line.
    for (const cell of part) drawCell(pdf, parent, cell, y + 0.8 * (largest - cell.lines[0]!.size));
    pdf.y = y + Math.max(...part.map((cell) => heightOfCell(pdf, cell))) + 2;
  }
  const height = pdf.y + GAP - top;
  drawLayout(pdf, () => {
    figures.forEach((_, index) => pdf.rect(MARGIN + index * boxWidth, top, boxWidth, height));
    pdf.lineWidth(0.5).stroke(LINE_COLOR);
  });
  pdf.y = top + height;
}

function heightOfCell(pdf: Pdf, { lines, width }: Cell): number {
  return lines.reduce((sum, line) => sum + setFont(pdf, line).heightOfString(line.text, { width }), 0);
}

/** Returns the height of cells side by side, with the space for the line below. */
function heightOfRow(pdf: Pdf, cells: readonly Cell[]): number {
  return Math.max(...cells.map((cell) => heightOfCell(pdf, cell))) + GAP;
}

/** The types of pdfkit lack the scope. */
const COLUMN_HEADER: object = { scope: 'Column' };

function drawCell(pdf: Pdf, parent: PDFKit.PDFStructureElement, { tag, lines, x, width, align }: Cell, top: number): void {
  const draw = () => {
    pdf.y = top;
    for (const line of lines) setFont(pdf, line).text(line.text, x, pdf.y, { width, ...(align && { align }) });
  };
  parent.add(pdf.struct(tag, tag === 'TH' ? COLUMN_HEADER : {}, draw));
}

/** Adds cells side by side, on one page, with a line below. */
function addCells(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: 'P' | 'TR', cells: readonly Cell[]): void {
  const height = heightOfRow(pdf, cells);
  keepTogether(pdf, height);
  const { y: top } = pdf;
  const row = pdf.struct(tag);
  parent.add(row);
  for (const cell of cells) drawCell(pdf, row, cell, top);
  row.end();
  const bottom = top + height - GAP + 2;
  drawLayout(pdf, () =>
    pdf
      .moveTo(MARGIN, bottom)
      .lineTo(MARGIN + WIDTH, bottom)
      .lineWidth(0.5)
      .stroke(LINE_COLOR),
  );
  pdf.y = bottom + 3;
}

/** Adds a table. Its header is repeated on each page. */
function addTable(pdf: Pdf, parent: PDFKit.PDFStructureElement, table: Element): void {
  const [caption] = elements(table, 'caption');
  if (caption) addHeading(pdf, parent, caption);
  const group = pdf.struct('Table');
  parent.add(group);
  const rows = elements(table, 'tr').map((row) => ({
    texts: childElements(row).map(textOf),
    isHeader: elements(row, 'td').length === 0,
  }));
  const header = rows.find(({ isHeader }) => isHeader);
  const columns = columnsOf(
    pdf,
    rows.map(({ texts }) => texts),
  );
  const cellsOf = ({ texts, isHeader }: (typeof rows)[number]) =>
    texts.map((text, index): Cell => {
      const lines = [{ text, size: 9, isBold: isHeader }];
      return { ...columns[index]!, tag: isHeader ? 'TH' : 'TD', lines };
    });
  for (const row of rows) {
    const cells = cellsOf(row);
    const isNewPage = keepTogether(pdf, heightOfRow(pdf, cells));
    if (isNewPage && header && !row.isHeader) addCells(pdf, group, 'TR', cellsOf(header));
    addCells(pdf, group, 'TR', cells);
  }
  group.end();
  pdf.moveDown(0.5);
}

/** An amount begins with a currency sign, after a minus sign if it is negative. */
const AMOUNT = /^−?\p{Sc}/u;

/**
 * Returns the position of each column: as wide as its longest text, and an equal share of what is left. Amounts are aligned at the right
 * if they are the last columns.
 */
function columnsOf(pdf: Pdf, rows: readonly (readonly string[])[]): Pick<Cell, 'x' | 'width' | 'align'>[] {
  pdf.font('bold').fontSize(9);
  const columns = rows[0]!.map((_, index) => rows.map((row) => row[index]!));
  const widths = columns.map((texts) => Math.ceil(Math.max(...texts.map((text) => pdf.widthOfString(text)))) + 1);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const isAmount = (texts: readonly string[]) => AMOUNT.test(texts.at(-1)!);
  const endsWithAmounts = isAmount(columns.at(-1)!);
  const extra = (WIDTH - total - (columns.length - 1) * COLUMN_GAP) / columns.length;
  let x = MARGIN;
  return columns.map((texts, index) => {
    const width = widths[index]! + extra;
    const column = { x, width, align: endsWithAmounts && isAmount(texts) ? ('right' as const) : undefined };
    x += width + COLUMN_GAP;
    return column;
  });
}

/** Draws the content of a structure element, so that screen readers know what it is. */
function add(pdf: Pdf, parent: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
  parent.add(pdf.struct(tag, {}, draw));
}

/** Draws lines, which screen readers ignore. */
function drawLayout(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

function bottomOf(pdf: Pdf): number {
  return pdf.page.height - MARGIN;
}

/** Continues on a new page if less than this height is left, unless it is more than a page. Returns whether it does. */
function keepTogether(pdf: Pdf, height: number): boolean {
  const fits = height <= bottomOf(pdf) - MARGIN;
  const isNewPage = fits && pdf.y + height > bottomOf(pdf);
  if (isNewPage) pdf.addPage();
  return isNewPage;
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
      .text(text, MARGIN, bottomOf(pdf) + 2 * GAP, { width: WIDTH, align: 'center', lineBreak: false });
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
