import { describe, expect, it } from 'vitest';
import { asLowAs } from '../../../shared/as-low-as.ts';
import { disclosure as english } from '../../../shared/languages/en/disclosure.ts';
import { disclosure as spanish } from '../../../shared/languages/es/disclosure.ts';
import { type DisclosureTexts, formatApr } from '../../../shared/languages/texts.ts';
import { createFee, createOffer, createSheet, createSingleOfferSheet, TODAY } from '../../support/programs.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import type { RateSheet } from '../../../shared/programs/rate-sheet.ts';

describe('asLowAsText', () => {
  it('states an example with all its terms, and the conditions of the offer', () => {
    expect(textOf(createSheet(), 74_000)).toBe(
      'Example: a $740.00 purchase over 24 months at 9.99% APR, fixed, requires 23 monthly payments of $34.14 and a last payment of ' +
        '$34.25, for a total of $819.47. Rates range from 5.99% APR to 29.99% APR and depend on your credit, the amount and the term; not ' +
        'everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to ' +
        '$30,000.00. Loans are made by Fairterm Lending.',
    );
  });

  it('states the same in Spanish', () => {
    expect(textOf(createSheet(), 74_000, spanish)).toBe(
      'Ejemplo: una compra de $740.00 a 24 meses con una tasa de porcentaje anual fija de 9.99% APR requiere 23 pagos mensuales de ' +
        '$34.14 y un último pago de $34.25, por un total de $819.47. Las tasas van de 5.99% APR a 29.99% APR y dependen de su crédito, del ' +
        'importe y del plazo; no todas las personas reúnen los requisitos para la tasa del ejemplo. El financiamiento está sujeto a ' +
        'aprobación de crédito, para compras de $50.00 a $30,000.00. Los préstamos los otorga Fairterm Lending.',
    );
  });

  it.each([
    {
      termLength: 1,
      rateBps: 1_200,
      expected: 'over 1 month at 12.00% APR, fixed, requires 1 monthly payment of $100.00, for a total of $100.00.',
    },
    { termLength: 2, rateBps: 0, expected: 'requires 1 monthly payment of $49.51 and a last payment of $49.50' },
  ])('uses the singular for one payment: $expected', ({ termLength, rateBps, expected }) => {
    expect(textOf(createSingleOfferSheet(termLength, rateBps), 9_901)).toContain(expected);
  });

  it('states "no finance charge" for a zero rate, and omits the last payment if it equals the others', () => {
    const text = textOf(createSingleOfferSheet(6, 0), 60_000);

    expect(text).toContain(
      'at 0% APR, fixed, requires 6 monthly payments of $100.00, for a total of $600.00. There is no finance charge.',
    );
    expect(text).not.toContain('last payment');
    expect(textOf(createSingleOfferSheet(6, 999), 60_000)).not.toContain('no finance charge');
  });

  it('states the down payment', () => {
    const sheet = createSingleOfferSheet(12, 999, { downPayment: { percentBps: 1_000 } });

    expect(textOf(sheet, 100_000)).toContain(
      'Example: a $1,000.00 purchase with a down payment of $100.00 over 12 months at 9.99% APR',
    );
    expect(textOf(sheet, 100_000, spanish)).toContain('una compra de $1,000.00 con un pago inicial de $100.00 a 12 meses');
  });

  it('states a fee, which is part of the loan and of the finance charge', () => {
    expect(textOf(createSingleOfferSheet(12, 999, { fees: [createFee({ flatCents: 3_000 })] }), 100_000)).toContain(
      ' The loan includes an origination fee of $30.00, which is part of the finance charge. ',
    );
  });

  it.each([
    ['application', 'una comisión de solicitud de $30.00, que forma parte del cargo financiero.'],
    ['participation', 'una comisión de participación de $30.00'],
    ['service', 'una comisión de servicio de $30.00'],
    ['origination', 'El préstamo incluye una comisión de apertura de $30.00'],
  ])('states every kind of fee in Spanish: %s', (kind, expected) => {
    expect(
      textOf(createSingleOfferSheet(12, 999, { fees: [createFee({ kind, flatCents: 3_000 })] }), 100_000, spanish),
    ).toContain(expected);
  });

  it('states the first payment if it includes interest of an odd first period', () => {
    const schedule = { firstPaymentAfter: { months: 1, days: 15 }, oddDaysInterest: '360' };

    expect(textOf(createSingleOfferSheet(12, 1_200, { schedule }), 100_000)).toContain(
      'requires a first payment of $93.85, 10 monthly payments of $88.85 and a last payment of $88.84',
    );
  });

  it('states the dates of an active promotion, even if the example uses another rate', () => {
    const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
    const offers = [createOffer({ id: 'promo', termLength: 24, tierAprBps: { A: 0 }, promo }), createOffer({})];
    const sheet = createSheet({ offers });
    const short = createSheet({
      offers: [createOffer({}), createOffer({ id: 'promo', termLength: 6, tierAprBps: { A: 0 }, promo })],
    });
    expect(textOf(short, 60_000)).toContain('over 24 months at 9.99% APR');
    expect(textOf(short, 60_000)).toContain(' Promotional rates are for purchases from November 20, 2026');

    expect(textOf(sheet, 60_000, english, '2026-12-02')).toContain(
      'Promotional rates are for purchases from November 20, 2026 through December 2, 2026.',
    );
    expect(textOf(sheet, 60_000, spanish, '2026-11-20')).toContain('del 20 de noviembre de 2026 al 2 de diciembre de 2026.');
    expect(textOf(sheet, 60_000, english, '2026-12-03')).not.toContain('Promotional');
  });

  it('ends with the excluded states, the lender and the advertised state notices', () => {
    const states = {
      excluded: ['IA', 'WI', 'WV'],
      notices: {
        CA: [
          { at: 'agreement', text: { en: 'You can complain.' } },
          { at: 'advertisement', text: { en: 'Made under\na license.', es: 'Otorgado\ncon licencia.' } },
        ],
        NY: [{ at: 'advertisement', text: { en: 'Read the terms.' } }],
      },
    };
    const lender = { name: 'Example Bank', licenses: { CA: { type: 'CFL 1' } } };

    expect(textOf(createSheet({ states, lender }), 60_000)).toMatch(
      / Not available to residents of IA, WI, and WV\. Loans are made by Example Bank\. CA residents: Made under a license\. NY residents: Read the terms\.$/,
    );
    expect(textOf(createSheet({ states, lender }), 60_000, spanish)).toMatch(
      / No disponible para residentes de IA, WI y WV\. Los préstamos los otorga Example Bank\. Residentes de CA: Otorgado con licencia\. Residentes de NY: Read the terms\.$/,
    );
    expect(textOf(createSheet({ states, lender }, 'CA'), 60_000)).toMatch(
      / Example Bank\. CA residents: Made under a license\.$/,
    );
    expect(textOf(createSheet({ states, lender }, 'TX'), 60_000)).toMatch(/ Example Bank\.$/);
  });

  it.each([
    [
      english,
      'Financing is offered for purchases from $50.00 to $30,000.00, subject to credit approval. Loans are made by Fairterm Lending.',
    ],
    [
      spanish,
      'Se ofrece financiamiento para compras de $50.00 a $30,000.00, sujeto a aprobación de crédito. Los préstamos los otorga Fairterm Lending.',
    ],
  ])('states only the range and the lender if no offer covers the amount', (texts, expected) => {
    expect(textOf(createSheet(), 100, texts)).toBe(expected);
  });

  it.each<[string, RateSheet, CivilDate]>([
    ['for residents of an excluded state', createSheet({ states: { excluded: ['IA'] } }, 'IA'), TODAY],
    [
      'between promotions',
      createSheet({
        amount: { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true },
        offers: [createOffer({ tierAprBps: { A: 0 }, promo: { kind: 'zero-apr', from: '2026-12-01', to: '2026-12-02' } })],
      }),
      TODAY,
    ],
  ])('states no range if there are no plans %s', (_, sheet, on) => {
    expect(textOf(sheet, 60_000, english, on)).toMatch(
      /^Financing is not offered for this purchase\. .*Loans are made by Fairterm Lending\.$/,
    );
    expect(textOf(sheet, 60_000, spanish, on)).toMatch(/^No se ofrece financiamiento para esta compra\. /);
  });

  it('replaces every placeholder', () => {
    const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
    const sheet = createSheet({
      downPayment: { percentBps: 500 },
      fees: ['origination', 'application', 'participation', 'service'].map((kind) =>
        createFee({ id: kind, kind, flatCents: 100, financeCharge: false, financed: kind === 'service' }),
      ),
      states: { excluded: ['IA'], notices: { CA: [{ at: 'advertisement', text: { en: 'A notice.' } }] } },
      offers: [createOffer({ promo, tierAprBps: { A: 0 } }), createOffer({ id: 'other', termLength: 12 })],
    });
    for (const texts of [english, spanish]) {
      for (const cents of [1, 60_001]) {
        const text = textOf(sheet, cents, texts);
        expect(text).not.toMatch(/[{}]|undefined|NaN| {2}/);
      }
    }
  });
});

describe('formatApr', () => {
  it.each([
    [0.0999, 'en-US', '9.99%'],
    [0.1, 'en-US', '10.00%'],
    [0.2999, 'en-US', '29.99%'],
    [0.0001, 'en-US', '0.01%'],
    [0, 'en-US', '0%'],
    [0.0999, 'de-DE', '9,99 %'],
  ])('formats %d in %s as %s', (apr, locale, text) => {
    expect(formatApr(apr, locale).replace(/\u00a0/g, ' ')).toBe(text);
  });
});

function textOf(sheet: RateSheet, cents: number, texts: DisclosureTexts = english, on: CivilDate = TODAY): string {
  return asLowAs(sheet, cents, on, texts).asLowAsText;
}
