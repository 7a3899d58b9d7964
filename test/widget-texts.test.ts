import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { lintAdvertisement } from '../shared/advertising/lint.ts';
import { asLowAs } from '../shared/as-low-as.ts';
import type { ProgramDocument } from '../shared/programs/rate-sheet.ts';
import { spanish as disclosure } from '../shared/disclosure/spanish.ts';
import { spanish as checkout } from '../server/checkout/texts/spanish.ts';
import { english as core } from '../widget/texts/english.ts';
import { englishCheckout } from '../widget/texts/english-checkout.ts';

const english = { ...core, ...englishCheckout };
const folder = new URL('../widget/texts/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): Record<string, string> => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const languages: [tag: string, texts: Record<string, string>][] = [
  ['en', english],
  ...files.map((name): [string, Record<string, string>] => [name.replace('.json', ''), read(name)]),
];
const placeholders = (text: string): string[] => text.match(/\{\w*\}?|\}/g) ?? [];

describe('The languages of the widget', () => {
  it('are those that it asks for', () => {
    const source = readFileSync(new URL('../widget/languages.ts', import.meta.url), 'utf8');
    const [, list] = /TAGS = new Set\(\[(.*?)\]\)/s.exec(source)!;
    expect(languages.map(([tag]) => tag).toSorted()).toEqual(['en', ...list!.match(/[\w-]+/g)!].toSorted());
  });

  it('are those that a shop bundles', () => {
    const source = readFileSync(new URL('../widget/texts/bundled-texts.ts', import.meta.url), 'utf8');
    const bundled = [...source.matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\('\.\/(.+)\.json'/gm)];
    const named = bundled.map(([, tag, file]) => `${tag} ${file}.json`);
    expect(named.toSorted()).toEqual(files.map((name) => `${name.replace('.json', '')} ${name}`).toSorted());
  });

  test.each(languages)('%s has what English has, in its order', (_tag, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
  });

  test.each(languages)('%s has the placeholders of English', (_tag, texts) => {
    const placed = (of: Record<string, string>) => Object.entries(of).map(([key, text]) => [key, ...placeholders(text)]);
    expect(placed(texts)).toEqual(placed(english));
  });

  test.each(languages)('%s is plain text without a space at either end', (_tag, texts) => {
    const isPlain = (text: string) => text.trim() === text && /^[^<>&\p{Cc}\p{Cf}]+$/u.test(text);
    expect(Object.values(texts).filter((text) => !isPlain(text))).toEqual([]);
  });

  test.each(languages)('%s tells the names of figures apart', (_tag, texts) => {
    const { purchase, downPayment, amountFinanced, apr, term, monthly, first, last, financeCharge, fees, total } = texts;
    const names = [purchase, downPayment, amountFinanced, apr, term, monthly, first, last, financeCharge, fees, total];
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(languages)('%s calls the annual rate what the agreement calls it', (_tag, texts) => {
    expect(texts['apr']).toContain('APR');
  });

  test.each(languages)('%s names no other annual rate, of which this one would be too low', (_tag, texts) => {
    expect(Object.values(texts).join()).not.toMatch(/TAEG|\bTAE\b|effekti|JKP|RRSO|実質年率/i);
  });

  test.each(languages.map(([tag, { dir }]) => [tag, dir]))('%s runs %s', (tag, dir) => {
    expect(dir).toBe(tag === 'ar' || tag === 'he' ? 'rtl' : 'ltr');
  });

  test.each(files)('%s takes at most 700 bytes', (name) => {
    expect(brotliCompressSync(JSON.stringify(read(name))).length).toBeLessThanOrEqual(700);
  });

  it('say in Spanish what the pages of the checkout say', () => {
    const { apr, financeCharge, total, downPayment, first, amountFinanced, example, fees } = read('es.json');
    expect({ apr, financeCharge, total, first }).toEqual({
      apr: checkout.plans.apr,
      financeCharge: checkout.plans.financeCharge,
      total: checkout.plans.totalOfPayments,
      first: checkout.plans.firstPayment,
    });
    expect({ downPayment, amountFinanced }).toEqual({
      downPayment: checkout.loan.downPayment,
      amountFinanced: checkout.loan.amountFinanced,
    });
    expect(disclosure.example.startsWith(`${example}:`)).toBe(true);
    expect(Object.values(checkout.loan.feeNames).every((name) => name.startsWith(fees!.slice(0, 6)))).toBe(true);
  });
});

/** What stands on the page is an advertisement, and its linter reads these two languages. */
describe.each([
  ['en', english],
  ['es', read('es.json')],
] as const)('An estimate in %s with its disclosure', (language, texts) => {
  const file = new URL('widget/fixtures/standard/storefront/programs', import.meta.url);
  const { programs, texts: disclosures }: ProgramDocument = JSON.parse(readFileSync(file, 'utf8'));

  test.each([5_000, 50_000, 129_900, 3_000_000])('is a complete and true advertisement of %i cents', (cents) => {
    const { amount, asLowAsText } = asLowAs(programs[0]!, cents, '2026-11-21', disclosures[language]);
    const { estimate, label, more } = texts;
    const shown = [estimate.replace('{amount}', amount), label, asLowAsText, more].join('\n');

    const { examples, findings } = lintAdvertisement(shown, { language });

    expect(findings).toEqual([]);
    expect(examples.length).toBeGreaterThan(0);
  });
});
