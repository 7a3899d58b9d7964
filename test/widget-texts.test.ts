import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { checkout } from '../shared/languages/es/checkout.ts';
import { disclosure } from '../shared/languages/es/disclosure.ts';
import * as english from '../shared/languages/en/widget.ts';
import type { WidgetTexts } from '../shared/languages/en/widget.ts';
import { translations } from '../widget/language.ts';

const loaded = Object.entries(translations).map(async ([tag, load]): Promise<[string, WidgetTexts]> => [tag, await load()]);
const languages: [tag: string, texts: WidgetTexts][] = [['en', english], ...(await Promise.all(loaded))];
const placeholders = (text: string): string[] => text.match(/\{\w*\}?|\}/g) ?? [];
const entriesOf = ({ widget, widgetDetails, widgetCheckout }: WidgetTexts) =>
  Object.entries({ ...widget, ...widgetDetails, ...widgetCheckout });
const valuesOf = (texts: WidgetTexts) => entriesOf(texts).map(([, text]) => text);

describe('The texts of the widget', () => {
  test.each(languages)('%s have the placeholders of English', (_tag, texts) => {
    const placeholdersByKey = (translation: WidgetTexts) =>
      entriesOf(translation).map(([key, text]) => [key, ...placeholders(text)]);
    expect(placeholdersByKey(texts)).toEqual(placeholdersByKey(english));
  });

  test.each(languages)('%s are plain text without surrounding spaces', (_tag, texts) => {
    const isPlain = (text: string) => text.trim() === text && /^[^<>&\p{Cc}\p{Cf}]+$/u.test(text);
    expect(valuesOf(texts).filter((text) => !isPlain(text))).toEqual([]);
  });

  test.each(languages)('%s have distinct names for the figures', (_tag, texts) => {
    const { purchase, downPayment, amountFinanced, apr, term, monthly, first, last, financeCharge, fees, total } =
      texts.widgetDetails;
    const names = [purchase, downPayment, amountFinanced, apr, term, monthly, first, last, financeCharge, fees, total];
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(languages)('%s call the annual rate APR, like the agreement', (_tag, texts) => {
    expect(texts.widgetDetails.apr).toContain('APR');
  });

  test.each(languages)('%s do not mention an effective annual rate, which would be higher', (_tag, texts) => {
    expect(valuesOf(texts).join()).not.toMatch(/TAEG|\bTAE\b|effective|efectiva/i);
  });

  test.each(languages)('%s have at most 1,000 bytes with brotli', (_tag, texts) => {
    expect(brotliCompressSync(JSON.stringify(Object.fromEntries(entriesOf(texts)))).length).toBeLessThanOrEqual(1_000);
  });

  it('use the terms of the checkout in Spanish', async () => {
    const { apr, financeCharge, total, downPayment, first, amountFinanced, example, fees } = (await translations.es())
      .widgetDetails;
    expect({ apr, financeCharge, total, first }).toEqual({
      apr: checkout.plans.apr,
      financeCharge: checkout.tila.financeCharge,
      total: checkout.tila.totalOfPayments,
      first: checkout.plans.firstPayment,
    });
    expect({ downPayment, amountFinanced }).toEqual({
      downPayment: checkout.loan.downPayment,
      amountFinanced: checkout.tila.amountFinanced,
    });
    expect(disclosure.example.startsWith(`${example}:`)).toBe(true);
    expect(Object.values(checkout.loan.feeNames).every((name) => name.startsWith(fees.slice(0, 6)))).toBe(true);
  });
});
