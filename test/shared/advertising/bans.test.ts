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
    ['guaranteed-credit', 'No credit check, guaranteed approval!'],
    ['guaranteed-credit', 'No credit check guaranteed approval'],
    ['guaranteed-credit', 'No hassle: guaranteed financing'],
    ['guaranteed-credit', 'No — guaranteed financing'],
    ['guaranteed-credit', 'Bad credit? No problem, guaranteed approval.'],
    ['guaranteed-credit', 'Worried? No. Guaranteed approval.'],
    ['guaranteed-credit', 'Not only guaranteed'],
    ['guaranteed-credit', 'Why not guaranteed approval?'],
    ['guaranteed-credit', 'Sin aval, aprobación garantizada'],
    ['guaranteed-credit', 'Sin aval aprobación garantizada'],
    ['guaranteed-credit', 'Garantía de aprobación'],
    ['guaranteed-credit', 'Se garantiza la aprobación'],
    ['guaranteed-credit', 'Guaranteed low rates'],
    ['guaranteed-credit', 'GUARANTEED!'],
    ['guaranteed-credit', 'Yes to everybody, we guarantee it'],
    ['guaranteed-credit', `${charged} Guaranteed.`],
    ['guaranteed-credit', 'Approval is not guaranteed there, but guaranteed here'],
    ['guaranteed-credit', 'Approval and satisfaction guaranteed'],
    ['guaranteed-credit', 'Satisfaction and approval guaranteed'],
    ['guaranteed-credit', '12-month guarantee of credit'],
    ['same-as-cash', 'No fees, same as cash'],
    ['deferred-interest', 'No hassle: deferred interest'],
  ])('is %s: %s', (rule, text) => {
    expect(rulesIn(text)).toEqual([rule]);
  });

  it.each([
    'Credit approval is not guaranteed.',
    'Financing isn’t guaranteed.',
    'La aprobación no está garantizada.',
    'Credit is not *guaranteed*.',
    'There is no guarantee of approval.',
    'This does not guarantee credit.',
    'This is not a guarantee of credit.',
    'Approval cannot be guaranteed.',
    'Without guarantee of approval',
    'No loan is guaranteed.',
    'Crédito no garantizado',
    'No se garantiza la aprobación.',
    'No garantizamos su crédito.',
    'No constituye una garantía de aprobación.',
    'Sin garantía de aprobación',
    'Sin garantía',
    '12-month guarantee. Money-back guarantee. Financing available.',
    'This is not the same as cash.',
    'No deferred interest',
    'Sin intereses diferidos',
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

  it.each([
    'A monthly service charge of $4 applies.',
    'A processing charge of $120 applies.',
    'There is a $4 monthly service charge.',
  ])('is not said beside a charge: %s', (fee) => {
    const text = 'Example: a $1,200 purchase over 12 months at 0% APR takes 12 monthly payments of $100.';

    expect(rulesIn(`${text} Interest-free! ${fee}`)).toContain('interest-free-with-charge');
    expect(rulesIn(`${text} ${fee}`)).toContain('unclear-fee');
  });

  it.each([
    'An origination fee applies.',
    'Fees may apply.',
    'Origination fee applies, no late fees.',
    'A service charge applies.',
    'Other charges may apply.',
    'No down payment, an origination fee is due.',
    'Se aplica una comisión de apertura.',
    'Hay un cargo por servicio.',
  ])('is not said beside a fee without its amount: %s', (fee) => {
    expect(rulesIn(`Interest free. ${fee}`)).toEqual(['interest-free-with-charge']);
  });

  it.each([
    'No fees.',
    'No origination fee.',
    'No-fee financing.',
    'No hidden fees, ever.',
    'No interest or fees.',
    'No annual, application or origination fees.',
    'Without fees.',
    'Without a fee.',
    'We never charge a fee.',
    'We don’t charge a fee.',
    'There isn’t any fee.',
    'A fee of $0.',
    'A late fee may apply.',
    'A late charge of $15 may apply.',
    'No charge for delivery.',
    'No service charge.',
    'No finance charge.',
    'Free of charge.',
    'Use your charge card.',
    'We charge no interest.',
    'Sin comisiones.',
    'Sin comisión de apertura.',
    'Sin intereses ni comisiones.',
    'Comisión por mora.',
  ])('may be said beside what is no charge: %s', (words) => {
    expect(rulesIn(`Interest free. ${words}`)).toEqual([]);
  });

  it('is not what is denied to be so', () => {
    expect(rulesIn(`This is not interest-free. ${charged}`)).toEqual([]);
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
