import { describe, expect, it } from 'vitest';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

const rulesIn = (text: string) => lintAdvertisement(text).findings.map(({ rule }) => rule);
const complete = 'Example: $800 purchase, 12 payments of $72.21 at 15% APR.';

describe('a term that calls for others', () => {
  it.each([
    ['a payment', 'Only $72.21 a month!'],
    ['a payment', 'Pagos de $72.21 al mes'],
    ['a number of payments', 'Pay in 12 easy payments'],
    ['a number of payments', 'Páguelo en 12 cuotas'],
    ['a period of repayment', '48-month financing available'],
    ['a period of repayment', 'Take up to 36 months to pay'],
    ['a period of repayment', 'Financing for 3, 6 or 12 months'],
    ['a period of repayment', 'Financiamiento de 6 a 24 meses'],
    ['a down payment', 'Only 10% down'],
    ['a down payment', 'Take it home with a down payment of $50'],
    ['a down payment', 'Lléveselo con $50 de enganche'],
    ['a finance charge', 'A finance charge of just $20'],
    ['a last payment', 'Your last payment is $5'],
  ])('is %s: %s', (_, text) => {
    expect(rulesIn(text)).toEqual(['triggered-terms']);
    expect(rulesIn(`${text} at 15% APR`)).toEqual(['triggered-terms']);
  });

  it.each([
    'No down payment!',
    '$0 down',
    'Sin enganche',
    'Rates from 5.99% APR to 29.99% APR',
    '15% APR',
    'Monthly payments to suit you',
    'Financing from $50 to $10,000',
    '12-month warranty',
    'We deliver in 2 months',
  ])('is not: %s', (text) => {
    expect(rulesIn(text)).toEqual([]);
  });

  it.each([
    ['the APR', '$800 purchase, 12 payments of $72.21', 'Missing: its APR, which a range of rates is not.'],
    [
      'the APR',
      '$800 purchase, 12 payments of $72.21. Rates from 10% to 36% APR',
      'Missing: its APR, which a range of rates is not.',
    ],
    ['the APR', '$800 purchase, 12 payments of $72.21. APR as low as 15%', 'Missing: its APR, which a range of rates is not.'],
    [
      'the number of payments',
      '$800 purchase, $72.21/mo at 15% APR',
      'Missing: how many payments there are, each with its amount.',
    ],
    [
      'either',
      '$800 purchase, $72.21/mo',
      'Missing: how many payments there are, each with its amount; its APR, which a range of rates is not.',
    ],
  ])('is missed in an example without %s: %s', (_, text, missing) => {
    expect(lintAdvertisement(text).findings).toMatchObject([
      { rule: 'triggered-terms', message: expect.stringContaining(missing) },
    ]);
  });

  it('is satisfied by an example', () => {
    expect(rulesIn(`Up to 36 months to pay. ${complete}`)).toEqual([]);
    expect(rulesIn(`As low as $72.21/mo. ${complete}`)).toEqual([]);
  });

  it('is not satisfied by the example of another payment', () => {
    const { examples, findings } = lintAdvertisement(`As low as $30/mo. ${complete}`);

    expect(examples.map(({ paymentCents }) => paymentCents)).toEqual([3_000, 7_221]);
    expect(findings).toMatchObject([{ rule: 'triggered-terms', excerpt: '$30/mo' }]);
  });

  it.each([
    [`Down payment required. ${complete}`, ['triggered-terms']],
    [`${complete} Requires a down payment.`, ['triggered-terms']],
    ['Ejemplo: compra de $800, con enganche, 12 pagos de $72.21, 15% APR.', ['triggered-terms']],
    [`${complete} A down payment may be required.`, []],
    [`${complete} No down payment required.`, []],
    ['Example: $880 purchase with a down payment of $80, 12 payments of $72.21 at 15% APR.', []],
  ])('is a down payment without its amount: %s', (text, rules) => {
    expect(rulesIn(text)).toEqual(rules);
  });
});

describe('a lowest payment', () => {
  it.each([
    'As low as $72.21/mo for 12 months at 15% APR on $800 financed',
    'From $72.21/month for 12 months at 15% APR on $800 financed',
    'Payments from $72.21 for 12 months at 15% APR on $800 financed',
    'Starting at only $72.21 a month for 12 months at 15% APR on $800 financed',
    'Desde $72.21 al mes durante 12 meses, 15% APR, préstamo de $800',
    'A partir de $72.21 al mes durante 12 meses, 15% APR, préstamo de $800',
  ])('is called an example: %s', (text) => {
    expect(rulesIn(text)).toEqual(['example-word']);
    expect(rulesIn(`${text}. That is an example.`)).toEqual([]);
    expect(rulesIn(`${text}, por ejemplo`)).toEqual([]);
  });

  it('need not be where it is no lowest one', () => {
    expect(rulesIn('$72.21/mo for 12 months at 15% APR on $800 financed')).toEqual([]);
  });
});

describe('a percentage', () => {
  it.each([
    '15% APR',
    '15% (APR)',
    '15% fixed APR',
    '15% annual percentage rate',
    'APR 15%',
    'APR: 15%',
    'an APR of 15%',
    'an annual percentage rate (APR) of 15%',
    'APR from 10% to 36%',
    'Your APR will be between 10% and 36%',
    '10-30% APR',
    '10 to 30% APR',
    '0%-35.99% APR',
    '5.99% to 29.99% APR',
    'from 5.99% APR to 29.99% APR',
    'between 5.99% and 29.99% APR',
    '0%, 10% or 15% APR',
    '0% APR, 10% APR or 15% APR',
    'APR as low as 5.99%',
    'tasa de porcentaje anual fija de 9.99%',
    'tasas de porcentaje anual (APR) del 10 % al 36 %',
    'del 10 % al 36 % APR',
    'un APR de 15%',
    '15 % de APR',
  ])('is called an APR: %s', (text) => {
    expect(rulesIn(text)).toEqual([]);
  });

  it.each(['20% off', 'Save 20%', '20% discount', '20% cash back', '20% de descuento', 'Ahorre 20%'])(
    'is no rate: %s',
    (text) => {
      expect(rulesIn(text)).toEqual([]);
    },
  );

  it.each([
    ['15%', 1],
    ['15% interest', 1],
    ['0% financing', 1],
    ['10% to 36%', 2],
    ['15% APR and 5% interest', 1],
    ['15% APR 5%', 1],
    ['15% interest, 16% APR', 1],
    ['tasa de interés de 15%', 1],
  ])('is found where it is not: %s', (text, count) => {
    expect(rulesIn(text)).toEqual(Array.from({ length: count }, () => 'percent-without-apr'));
  });

  it.each([
    ['TAE 16%', 'TAE'],
    ['16 % TAE', 'TAE'],
    ['CAT de 16%', 'CAT'],
    ['16% APY', 'APY'],
  ])('that counts otherwise does not stand for it: %s', (text, name) => {
    expect(lintAdvertisement(text).findings).toMatchObject([
      { rule: 'percent-without-apr', message: expect.stringContaining(`is called ${name}, which is another rate`) },
    ]);
  });

  it('is quoted with the words around it', () => {
    const { findings } = lintAdvertisement(
      'Come in for some of the best rates in town, from 15% interest on everything there is in store.',
    );

    expect(findings).toEqual([
      {
        rule: 'percent-without-apr',
        message: '15% is not called an APR. Every percentage but a down payment, a fee or a discount must be.',
        excerpt: 'rates in town, from 15% interest on everything',
      },
    ]);
  });

  it.each([
    ['Rates from 19.99% to 29.99% APR', 'An example has 15% APR, which is outside the rates beside it: 19.99% to 29.99%.'],
    ['Rates from 5% to 10% APR', 'An example has 15% APR, which is outside the rates beside it: 5% to 10%.'],
    ['5-10% APR', 'An example has 15% APR, which is outside the rates beside it: 5% to 10%.'],
    ['Del 20 % al 30 % APR', 'An example has 15% APR, which is outside the rates beside it: 20% to 30%.'],
    [
      '5% to 10% APR in May and 20% to 30% APR in June',
      'An example has 15% APR, which is outside the rates beside it: 5% to 10%, 20% to 30%.',
    ],
    ['5% to 10% APR in May and 10% to 30% APR in June', undefined],
    ['15% to 30% APR', undefined],
    ['0% to 15% APR', undefined],
    ['20% to 30% off', undefined],
  ])('of an example is one of those beside it: %s', (range, message) => {
    const { findings } = lintAdvertisement(`${complete} ${range}.`);

    expect(findings.filter(({ rule }) => rule === 'apr-outside-range').map((one) => one.message)).toEqual(
      message ? [message] : [],
    );
  });

  it.each([
    '-9.99% APR',
    'APR: -9.99%',
    'an APR of -9.99%',
    '\u22129.99% APR',
    '12 payments of $95, $1,200 purchase at -9.99% APR',
  ])('below 0 is none: %s', (text) => {
    expect(lintAdvertisement(text).findings).toContainEqual({
      rule: 'implausible-figure',
      message: '-9.99% APR is below 0, which no rate is.',
      excerpt: expect.stringContaining('9.99%'),
    });
    expect(
      lintAdvertisement(text)
        .examples.map(({ aprPercent }) => aprPercent)
        .filter(Number),
    ).toEqual([]);
  });

  it.each(['APR - 9.99%', 'APR-9.99%', '5% -9.99% APR', '5%-9.99% APR'])('behind a dash may be one: %s', (text) => {
    expect(rulesIn(text)).not.toContain('implausible-figure');
  });

  it('above 100 is doubted', () => {
    expect(rulesIn('100% APR')).toEqual([]);
    expect(lintAdvertisement('150% APR').findings).toMatchObject([{ rule: 'apr-over-100', excerpt: '150%' }]);
  });
});
