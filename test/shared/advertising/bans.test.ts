import { describe, expect, it } from 'vitest';
import { lintAdvertisement } from '../../../shared/advertising/lint.ts';

const rulesIn = (text: string) => lintAdvertisement(text).findings.map(({ rule }) => rule);
const charged = '$800 purchase, 12 payments of $72.21 at 15% APR.';
const free = '$600 purchase, 6 payments of $100 at 0% APR.';

describe('what may not be said', () => {
  it.each([
    ['deferred-interest', 'No interest if paid in full'],
    ['deferred-interest', 'NO INTEREST IF PAID IN FULL'],
    ['deferred-interest', 'no interest* if paid in full'],
    ['deferred-interest', 'no\u00a0interest\nif paid in full'],
    ['deferred-interest', 'no\u2011interest \u2014 if paid in full'],
    ['deferred-interest', 'no inter\u00adest \u201cif\u201d paid in full'],
    ['deferred-interest', 'ＮＯ interest if paid in full'],
    ['deferred-interest', 'Pay no interest when you pay it off in time'],
    ['deferred-interest', 'no interest until next year'],
    ['deferred-interest', 'No interest on everything if paid'],
    ['deferred-interest', 'zero interest as long as you pay in time'],
    ['deferred-interest', 'interest-free if paid in time'],
    ['deferred-interest', 'Deferred interest'],
    ['deferred-interest', 'sin intereses si paga a tiempo'],
    ['deferred-interest', 'Sin interés cuando liquide a tiempo'],
    ['deferred-interest', 'intereses diferidos'],
    ['same-as-cash', 'Same as cash'],
    ['same-as-cash', 'SAME\u2011AS\u2011CASH'],
    ['same-as-cash', 'same\n  as\n  cash'],
    ['same-as-cash', 'igual que al contado'],
    ['same-as-cash', 'Igual que en efectivo'],
    ['same-as-cash', 'al mismo precio que de contado'],
    ['same-as-cash', 'como si pagara al contado'],
    ['guaranteed-credit', 'Guaranteed approval'],
    ['guaranteed-credit', 'guaranteed\u00a0credit\u2011approval'],
    ['guaranteed-credit', 'GUARANTEED instant financing'],
    ['guaranteed-credit', 'Approval guaranteed!'],
    ['guaranteed-credit', 'We guarantee your loan'],
    ['guaranteed-credit', 'aprobación garantizada'],
    ['guaranteed-credit', 'Crédito 100 garantizado'],
    ['guaranteed-credit', 'Garantizamos su crédito'],
  ])('is %s: %s', (rule, text) => {
    expect(rulesIn(text)).toEqual([rule]);
  });

  it.each([
    'Credit approval is not guaranteed.',
    'Financing isn’t guaranteed.',
    'La aprobación no está garantizada.',
    'Satisfaction guaranteed. Financing available.',
    'Satisfacción garantizada',
    'Our interest is you. If you pay, you own it.',
  ])('is not: %s', (text) => {
    expect(rulesIn(text)).toEqual([]);
  });

  it('is quoted as it is written', () => {
    expect(lintAdvertisement('Now 90 days same\u2011as\u2011cash').findings).toMatchObject([
      {
        rule: 'same-as-cash',
        message: '"same\u2011as\u2011cash" may not be said. Credit is not the same as cash: it has to be repaid on terms.',
        excerpt: 'same\u2011as\u2011cash',
      },
    ]);
  });
});

describe('interest-free', () => {
  it.each([
    'Interest-free!',
    'Interest free.',
    'No interest!',
    'Zero interest.',
    'Without interest.',
    'Sin intereses.',
    'Cero interés.',
    'Libre de intereses.',
  ])('may be said where nothing is charged: %s', (words) => {
    expect(rulesIn(words)).toEqual([]);
    expect(rulesIn(`${words} ${free}`)).toEqual([]);
    expect(rulesIn(`${words} ${charged}`)).toEqual(['interest-free-with-charge']);
    expect(rulesIn(`${words} 9.99% APR to 35.99% APR`)).toEqual(['interest-free-with-charge']);
    expect(rulesIn(`${words} 0% APR to 35.99% APR`)).toEqual([]);
    expect(rulesIn(`${words} A fee of $5 is due today and is not part of the finance charge.`)).toEqual([
      'interest-free-with-charge',
    ]);
  });

  it('is one finding where interest is deferred as well', () => {
    expect(rulesIn(`No interest if paid in time. ${charged}`)).toEqual(['deferred-interest']);
  });

  it('is not what a percentage of interest is', () => {
    expect(rulesIn('9% interest if you pay by card')).toEqual(['percent-without-apr']);
    expect(rulesIn('0% interest if you pay in time')).toEqual(['percent-without-apr', 'deferred-interest']);
    expect(rulesIn(`0% interest. ${charged}`)).toEqual(['percent-without-apr', 'interest-free-with-charge']);
  });
});
