import { writeFileSync } from 'node:fs';
import { openSync } from 'fontkit';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillAgreement } from '../../../server/agreements/agreement-text.ts';
import { sampleDocuments } from '../../../server/lending/programs/sample-agreement.ts';
import { canBePdf, documentOf } from '../../../server/agreements/document.ts';
import { fontFiles, pdfOf } from '../../../server/agreements/pdf.ts';
import { texts } from '../../../server/base/texts.ts';
import { elaborate, createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import { createAgreementFacts } from './agreement-facts.ts';

const SIGNED_AT = '2026-11-21T09:30:12.000000Z';
const disclosure = createDisclosure(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods' });
const card = { amountCents: 25_200, label: 'Visa 4242' };

/** Returns the text of each page. */
async function pagesOf(pdf: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: false }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await document.destroy();
  return pages;
}

const wordsIn = (text: string) => text.replaceAll(/\s+/g, ' ').trim().split(' ').toSorted();

describe('The disclosures in the PDF of a signed agreement in two languages', () => {
  const inEnglish = texts.en.tila;
  const inSpanish = texts.es.tila;

  // Order references of these lengths move the disclosures down the pages.
  it.each([1, 12, 36])('are on one page each, after an order reference of %d lines', async (lines) => {
    const facts = createAgreementFacts({ orderRef: 'Order '.repeat(lines * 8) }, disclosure);
    const { html } = documentOf(facts, texts.es, facts);
    const pages = (await pagesOf(await pdfOf(html, SIGNED_AT, texts.es))).map((text) => text.replaceAll(/\s+/g, ' '));
    for (const { aprMeaning, seeAgreement } of [inEnglish, inSpanish]) {
      const onPage = pages.filter((text) => text.includes(aprMeaning) || text.includes(seeAgreement));
      expect(onPage).toHaveLength(1);
    }
  });
});

describe('The pages of PDFs of many lengths', () => {
  const agreementText = fillAgreement({ documents: sampleDocuments }, disclosure, 'Ada Lovelace', texts.en);
  const plain = (shown: string) => shown.replaceAll(/\s+/g, ' ').trim();

  it.each(Array.from({ length: 48 }, (_, index) => index + 1))(
    'end with no heading, and the signature is with what was agreed to: %d lines',
    async (lines) => {
      const t = texts.en;
      const { html } = documentOf(
        createAgreementFacts(
          { orderRef: 'Order '.repeat(lines * 8), totalCents: 150_000, card, text: agreementText },
          disclosure,
        ),
        t,
      );
      const headings = [...html.matchAll(/<(?:h[123]|caption)[^>]*>([^<]*)</g)].map(([, heading]) => plain(heading!));
      const pages = (await pagesOf(await pdfOf(html, SIGNED_AT, t))).map((text) =>
        plain(text.replace(/Page \d+ of \d+\s*$/, '')),
      );

      const alone = pages.filter((page) => headings.some((heading) => heading !== '' && page.endsWith(` ${heading}`)));
      expect(alone.map((page) => page.slice(-80))).toEqual([]);
      const signed = pages.filter((page) => page.includes('Signed electronically by'));
      expect(signed).toHaveLength(1);
      expect(signed[0]).toContain(t.document.agreedTo);
    },
  );
});

describe.each(['en', 'es'] as const)('The PDF of a signed agreement (%s)', (language) => {
  const t = texts[language];
  const { html } = documentOf(createAgreementFacts({ totalCents: 150_000, card }, disclosure), t);
  let pdf: Buffer;
  let pages: string[];
  beforeAll(async () => {
    pdf = await pdfOf(html, SIGNED_AT, t);
    if (process.env['KEEP_PDF']) writeFileSync(`${process.env['KEEP_PDF']}-${language}.pdf`, pdf);
    pages = await pagesOf(pdf);
  });

  it('has every word of the signed page, and only page numbers in addition', () => {
    const shown = /<main>([^]*)<\/main>/.exec(html)![1]!.replace(/<p class="keep">.*?<\/p>/, '');
    const words = wordsIn(
      shown
        .replaceAll(/<bdi class="phone">([^<]*)<\/bdi>/g, '$1')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"'),
    );
    const numbers = pages.flatMap((_, index) =>
      wordsIn(t.document.page.replace('{n}', String(index + 1)).replace('{count}', String(pages.length))),
    );
    const bullets = Array.from({ length: html.split('<li>').length - 1 }, () => '•');
    expect(wordsIn(pages.join(' '))).toEqual([...words, ...numbers, ...bullets].toSorted());
  });

  it('fills at least four fifths of its first page', async () => {
    const document = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: false }).promise;
    const first = await document.getPage(1);
    const { height } = first.getViewport({ scale: 1 });
    const { items } = await first.getTextContent();
    const tops = items.flatMap((item) => ('transform' in item && item.str.trim() !== '' ? [Number(item.transform[5])] : []));
    // Without the number of the page, below the margin.
    const lowest = Math.min(...tops.filter((top) => top > 54));
    expect(lowest).toBeLessThan(height / 5);
    await document.destroy();
  });

  it('has tags for headings, lists and table headers', async () => {
    const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
    const roles = new Set<string>();
    const addRoles = (node: object) => {
      if ('role' in node) roles.add(String(node.role));
      if ('children' in node) (node.children as object[]).forEach(addRoles);
    };
    for (let number = 1; number <= document.numPages; number++) addRoles(await (await document.getPage(number)).getStructTree());
    await document.destroy();
    expect([...roles]).toEqual(expect.arrayContaining(['H1', 'H2', 'P', 'L', 'LI', 'Lbl', 'LBody', 'Table', 'TR', 'TH', 'TD']));
  });

  it('is the same for the same page, and has a language and a title', async () => {
    expect((await pdfOf(html, SIGNED_AT, t)).equals(pdf)).toBe(true);
    const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
    expect(await document.getMetadata()).toMatchObject({
      info: { Language: language, Title: t.document.title.replace('{lender}', 'First Fair Bank') },
    });
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
    await document.destroy();
  });
});

it.each([0, 1, 2])('The header of a table of tall rows is repeated on each page, after %d paragraphs', async (paragraphs) => {
  const row = `<tr>${`<td>${'Terms of the loan. '.repeat(8)}</td>`.repeat(2)}</tr>`;
  const table = `<table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${row.repeat(40)}</tbody></table>`;
  const html = `<title>Terms</title><main>${'<p>Note</p>'.repeat(paragraphs)}${table}</main>`;
  const [, ...pages] = await pagesOf(await pdfOf(html, SIGNED_AT, texts.en));
  expect(pages).toEqual([expect.stringMatching(/^Code +Meaning /), expect.stringMatching(/^Code +Meaning /)]);
});

it('A document can be a PDF exactly if both fonts have all its characters', () => {
  const fonts = Object.values(fontFiles).map((path) => openSync(path));
  const wrong: string[] = [];
  for (let codePoint = 0x21; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const hasGlyphs = fonts.every((font) => font.hasGlyphForCodePoint(codePoint)) || /\s/.test(character);
    if (canBePdf(character) !== hasGlyphs) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

describe('A name in the PDF of a signed agreement', () => {
  const documentFor = (name: string) => documentOf(createAgreementFacts({ orderRef: name }, disclosure), texts.en).html;

  it.each([
    ['Latin', 'José Łukasz Ğökçe Đỗ Ştefănescu'],
    ['Greek', 'Ελένη Παπαδοπούλου'],
    ['Cyrillic', 'Дмитро Їжакевич'],
    ['Vietnamese', 'Nguyễn Thị Phượng'],
  ])('is printed if it is in a script that the fonts have: %s', async (_script, name) => {
    const document = documentFor(name);
    expect(canBePdf(document)).toBe(true);
    const text = (await pagesOf(await pdfOf(document, SIGNED_AT, texts.en))).join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain(name);
  });
});
