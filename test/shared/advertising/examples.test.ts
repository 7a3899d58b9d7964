import { describe, expect, it } from 'vitest';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

/** $800 in twelve payments at 15 %, which nobody need work out again: what is read of it is the point here. */
const eight = { purchaseCents: 80_000, paymentCents: 7_221, count: 12, aprPercent: 15, paymentsPerYear: 12 };

describe('an example in English', () => {
  it.each([
    ['A $800 purchase could be split into 12 monthly payments of $72.21 at 15% APR', eight],
    ['Purchase price: $800. 12 equal monthly installments of $72.21. APR 15%.', eight],
    ['$800, 12 payments of $72.21 at 15% APR', eight],
    ['$800 at 15% APR: 12 × 72.21', eight],
    ['$800 at 15% APR: 12 x $72.21', eight],
    ['$72.21 × 12 on an $800 order at 15% APR', eight],
    ['$72.21/mo for 12 months at 15% APR on an $800 purchase', { ...eight, months: 12 }],
    ['$72.21/month over 12 months at 15% APR, order total $800', { ...eight, months: 12 }],
    ['$72.21 per month, 12 months, 15% APR, $800 item', { ...eight, months: 12 }],
    ['$72.21 a month for a year is not read, for 1 year is: $800 purchase, 15% APR', { ...eight, months: 12 }],
    ['$72.21 monthly for 12 mos. at 15% APR. Cash price $800.', { ...eight, months: 12 }],
    ['12 months at $72.21 on an $800 purchase at 15% APR', { purchaseCents: 80_000, paymentCents: 7_221, count: 12 }],
    ['Pay $72.21 for 12 months. It costs $800. 15% APR.', { ...eight, months: 12 }],
    ['Twelve monthly payments of $72.21 on an $800 purchase at an annual percentage rate of 15%', eight],
    ['Monthly payment: $72.21. Number of payments: see below, 12 payments. Price: $800. APR: 15%', eight],
    ['$72.21 each, 12 payments, $800 product, fixed 15% APR', eight],
    ['As low as $72.21/mo. Example: an $800 purchase, 12 monthly payments of $72.21, 15% (APR).', eight],
    ['Example: $800 for 12 months at 15% APR. Only $72.21/mo', { loanCents: 80_000, paymentCents: 7_221, count: 12, months: 12 }],
    ['Borrow $800 for 12 months at 15% APR and pay only $72.21 per month', { loanCents: 80_000, paymentCents: 7_221, count: 12 }],
    [
      '48 monthly payments of $31.50 at 21.99% APR, per $1,000.00 borrowed',
      { loanCents: 100_000, paymentCents: 3_150, count: 48, aprPercent: 21.99 },
    ],
    [
      '$13.22 per $1,000 financed, for 120 months at 10% APR',
      { loanCents: 100_000, paymentCents: 1_322, count: 120, months: 120 },
    ],
    [
      'Borrow $30,000 at 6.14% APR with a 5-year term: your monthly payment would be $582.02.',
      { loanCents: 3_000_000, paymentCents: 58_202, count: 60, months: 60, aprPercent: 6.14 },
    ],
    [
      '$4,000 amount financed, 24 payments of $205.08 at 20.80% APR, total of payments $4,921.92, finance charge $921.92',
      { amountFinancedCents: 400_000, totalCents: 492_192, totalIs: 'sum', financeChargeCents: 92_192 },
    ],
    [
      '$800 purchase with $100 down, 12 payments of $63.18 at 15% APR, total sale price $858.16, interest of $58.16',
      { downPaymentCents: 10_000, totalCents: 85_816, totalIs: 'price', interestCents: 5_816 },
    ],
    ['10% down on an $800 purchase, 12 payments of $64.99 at 15% APR', { downPaymentCents: 8_000, purchaseCents: 80_000 }],
    ['$0 down, $800 purchase, 12 payments of $72.21 at 15% APR', { downPaymentCents: 0 }],
    ['No down payment: $72.21/mo for 12 months at 15% APR, $800 financed', { downPaymentCents: undefined, loanCents: 80_000 }],
    [
      '$740 purchase, $34.14/mo for 23 months and $34.25 in month 24, at 9.99% APR (total of payments $819.47)',
      { count: 24, months: 24, paymentCents: 3_414, lastPaymentCents: 3_425, totalCents: 81_947 },
    ],
    [
      '$740 purchase over 2 years at 9.99% APR, $34.14/mo with a final payment of $34.25',
      { count: 24, months: 24, paymentCents: 3_414, lastPaymentCents: 3_425 },
    ],
    [
      '$740 purchase over 24 months at 9.99% APR: 24 payments of $34.14, the last payment $34.25',
      { payments: [group(23, 3_414), group(1, 3_425)], lastPaymentCents: 3_425 },
    ],
    [
      '$740 purchase at 9.99% APR: 24 payments of $34.14, including a last payment of $34.25',
      { payments: [group(23, 3_414), group(1, 3_425)] },
    ],
    [
      '$150 purchase over 2 months at 12% APR takes a first payment of $76.50 and a last payment of $75.75, $152.25 in total',
      { payments: [group(1, 7_650), group(1, 7_575)], paymentCents: undefined, count: 2, months: 2 },
    ],
    [
      '$740 purchase at 9.99% APR: 1 payment of $34.20 and 23 payments of $34.14',
      { payments: [group(1, 3_420), group(23, 3_414)], firstPaymentCents: 3_420, paymentCents: 3_414 },
    ],
    [
      '$740 purchase at 9.99% APR: 22 payments of $34.14 followed by a balloon payment of $34.55, a first payment of $33.89',
      { payments: [group(1, 3_389), group(22, 3_414), group(1, 3_455)], firstPaymentCents: 3_389, lastPaymentCents: 3_455 },
    ],
    [
      '$100 purchase: four payments of $25 every 2 weeks. 0% APR.',
      { purchaseCents: 10_000, paymentCents: 2_500, count: 4, paymentsPerYear: 26, aprPercent: 0 },
    ],
    ['$25 today and 3 payments of $25 for a $100 purchase at 0% APR', { downPaymentCents: 2_500, count: 3 }],
    ['$800 purchase, 52 weekly payments of $16.58 at 15% APR', { paymentsPerYear: 52, count: 52 }],
    ['$800 purchase, 24 semi-monthly payments of $35.98 at 15% APR', { paymentsPerYear: 24 }],
    ['$800 purchase, 4 quarterly payments of $219.13 at 15% APR', { paymentsPerYear: 4, count: 4 }],
    ['$800 purchase, 2 payments of $492.10 a year at 15% APR for 2 years', { paymentsPerYear: 1, count: 2, months: 24 }],
    [
      'A $4,000 loan with a 5% origination fee deducted from the proceeds: 24 payments of $204.45, 25.86% APR',
      { loanCents: 400_000, fees: [{ cents: 20_000, lent: true, financeCharge: true }] },
    ],
    [
      '$800 purchase, 12 payments of $73.11 at 15% APR. The loan includes a service fee of $10, not part of the finance charge.',
      { fees: [{ cents: 1_000, lent: true, financeCharge: false }] },
    ],
    [
      '$800 purchase, 12 payments of $72.21, 17.45% APR. A fee of $10 is due today and is part of the finance charge.',
      { fees: [{ cents: 1_000, lent: false, financeCharge: true }] },
    ],
    [
      '$800 purchase, 12 payments of $72.21. First payment due 45 days after delivery. 13.98% APR',
      { firstPeriod: { months: 1, days: 15 } },
    ],
  ])('%s', (text, read) => {
    const { examples, findings } = lintAdvertisement(text);

    expect(findings).toEqual([]);
    expect(examples).toHaveLength(1);
    expect(examples[0]).toMatchObject(read);
  });
});

describe('an example in Spanish', () => {
  it.each([
    ['Ejemplo: $800 por 12 meses, 15% APR, $72.21 al mes', { loanCents: 80_000, paymentCents: 7_221, count: 12 }],
    ['Compra de $800: 12 pagos mensuales de $72.21 con 15% APR', eight],
    ['Una compra de $800 a 12 meses con una tasa de porcentaje anual de 15%: 12 cuotas de $72.21', { ...eight, months: 12 }],
    ['Precio al contado: $800. 12 mensualidades de $72.21. APR del 15 %.', eight],
    ['$72.21 al mes durante 12 meses, compra de $800, 15% APR', { ...eight, months: 12 }],
    ['$72.21/mes por 12 meses, compra de $800, 15% APR', { ...eight, months: 12 }],
    ['Doce pagos de $72.21 por una compra de $800, 15% de APR', eight],
    ['12 meses de $72.21, precio $800, tasa porcentual anual 15%', { count: 12, paymentCents: 7_221, aprPercent: 15 }],
    [
      'Desde $72,21 al mes. Ejemplo: compra de $800,00, 12 x $72,21, APR 15,00 %, total $866,52',
      { ...eight, totalCents: 86_652 },
    ],
    ['Compra de 1.299,00 $: 12 cuotas de 117,25 $, APR 15 %, total 1.407,00 $', { purchaseCents: 129_900, totalCents: 140_700 }],
    ['Enganche de 10%, precio $800, 12 mensualidades de $64.99, 15% APR', { downPaymentCents: 8_000 }],
    ['Sin enganche: $72.21 mensuales a 12 meses, compra de $800, 15% APR', { downPaymentCents: undefined, count: 12 }],
    [
      'Pago inicial de $100, compra de $800, 12 pagos de $63.18, 15% APR, cargo financiero de $58.16',
      { financeChargeCents: 5_816 },
    ],
    ['$72.21 por mes en 12 meses por cada $800 prestados, 15% APR', { loanCents: 80_000, months: 12 }],
    [
      'Compra de $740 a 24 meses, 9.99% APR: 23 pagos de $34.14 y un último pago de $34.25, $819.47 en total',
      { lastPaymentCents: 3_425, totalCents: 81_947, count: 24 },
    ],
    ['Compra de $800: 24 pagos quincenales de $35.98, 15% APR', { paymentsPerYear: 24, count: 24 }],
    ['Importe financiado: $800. 12 pagos de $72.21. 15% APR. Importe total: $866.52', { amountFinancedCents: 80_000 }],
  ])('%s', (text, read) => {
    const { examples, findings } = lintAdvertisement(text);

    expect(findings).toEqual([]);
    expect(examples).toHaveLength(1);
    expect(examples[0]).toMatchObject(read);
  });
});

describe('several examples', () => {
  it.each([
    [
      'in one sentence, about one amount',
      '$1,000 purchase: 12 payments of $87.92 at 10% APR, or 24 payments of $46.14 at 9.99% APR.',
    ],
    ['in lines', '$1,000 purchase, 12 payments of $87.92 at 10% APR\n\n$1,000 purchase, 24 payments of $46.14 at 9.99% APR'],
    [
      'in sentences',
      'A $1,000 purchase takes 12 payments of $87.92 at 10% APR. A $1,000 purchase takes 24 payments of $46.14 at 9.99% APR.',
    ],
    [
      'amounts first or last',
      '12 payments of $87.92 at 10% APR on $1,000 financed. 24 payments of $46.14 at 9.99% APR on $1,000 financed.',
    ],
  ])('are told apart %s', (_, text) => {
    const { examples, findings } = lintAdvertisement(text);

    expect(findings).toEqual([]);
    expect(examples.map(({ payments, aprPercent, follows }) => [payments, aprPercent, follows?.amountFinancedCents])).toEqual([
      [[group(12, 8_792)], 10, 100_000],
      [[group(24, 4_614)], 9.99, 100_000],
    ]);
  });

  it('are one where the same is said again', () => {
    const text = '$500, 12 payments of $43.97 at 10% APR. ';

    expect(lintAdvertisement(text.repeat(3))).toMatchObject({ examples: [{ purchaseCents: 50_000, count: 12 }], findings: [] });
  });
});

describe('what is no example', () => {
  it.each([
    'Free delivery over $50. 12-month warranty. Save 20% today, $100 off!',
    'Purchases from $50 to $10,000. Late fee of $15. Rates from 5.99% APR to 35.99% APR.',
    'Nos encuentra en la calle 12. Envío gratis en compras superiores a $50. Ahorre 20%.',
    'Offer ends 11/20/2026. Call 1-800-555-1234. In business for 20 years.',
    '',
  ])('%s', (text) => {
    expect(lintAdvertisement(text)).toEqual({ examples: [], findings: [] });
  });
});

function group(count: number, cents: number) {
  return { count, cents };
}
