import type { html } from '@lit-labs/ssr';
import { describe, expect, it } from 'vitest';
import { signatureFields } from '../../../../server/checkout/steps/agreement.ts';
import { applicationFields } from '../../../../server/checkout/steps/application.ts';
import { NO_CONTACT } from '../../../../server/base/contact.ts';
import { contactFields, isComplete, prefilledDetails, readDetails } from '../../../../server/checkout/steps/details/form.ts';
import { renderHtml } from '../../../../server/http/pages/html.ts';
import { errorSummary } from '../../../../server/http/pages/elements.ts';
import { readForm } from '../../../../server/http/pages/read-form.ts';
import { texts } from '../../../../server/base/texts.ts';
import { Page, textOf } from '../../../support/page.ts';
import { POSTAL_STATES, stateOfZip, ZIP_RANGES } from '../../../../shared/wire/us-states.ts';
import { elsewhere, typed } from '../../../support/checkout.ts';

const fields = applicationFields('2026-11-21', 18);
const errorsOf = (body: unknown) => {
  const read = readForm(fields, body);
  return read.ok ? [] : Object.keys(read.errors);
};

describe('The application accepts', () => {
  it.each([
    ['12/10/1990', '1990-12-10'],
    ['1/2/1990', '1990-01-02'],
    ['01-02-1990', '1990-01-02'],
    ['1 / 2 / 1990', '1990-01-02'],
    ['01021990', '1990-01-02'],
    ['1990-12-10', '1990-12-10'],
    [' 02/29/1984 ', '1984-02-29'],
    ['11/21/2008', '2008-11-21'],
    ['12\u201310\u20131990', '1990-12-10'],
    ['1990\u221212\u221210', '1990-12-10'],
    ['12\u00a0\u2010\u00a010\u20111990', '1990-12-10'],
  ])('the date of birth %s', (dateOfBirth, expected) => {
    const read = readForm(fields, { ...typed, dateOfBirth });
    expect(read).toMatchObject({ ok: true, values: { dateOfBirth: expected } });
  });

  it.each([
    ['84000', 8_400_000],
    ['$84,000', 8_400_000],
    ['84,000.00', 8_400_000],
    ['0', 0],
    ['84 000', 8_400_000],
    ['84\u00a0000', 8_400_000],
    ['84000 $', 8_400_000],
    ['$1,260,000.0', 126_000_000],
  ])('the income %s', (annualIncome, expected) => {
    expect(readForm(fields, { ...typed, annualIncome })).toMatchObject({ ok: true, values: { annualIncome: expected } });
  });
});

describe('The application rejects', () => {
  it.each([
    ['a date that does not exist', { dateOfBirth: '02/30/1990' }, ['dateOfBirth']],
    ['a buyer who turns 18 tomorrow', { dateOfBirth: '11/22/2008' }, ['dateOfBirth']],
    ['a buyer of 120 years', { dateOfBirth: '11/20/1906' }, ['dateOfBirth']],
    ['a date of seven digits', { dateOfBirth: '1121990' }, ['dateOfBirth']],
    ['a date in words', { dateOfBirth: 'yesterday' }, ['dateOfBirth']],
    ['three digits of the SSN', { taxIdLast4: '123' }, ['taxIdLast4']],
    ['nine digits of the SSN', { taxIdLast4: '123456789' }, ['taxIdLast4']],
    ['digits of another script', { taxIdLast4: '١٢٣٤' }, ['taxIdLast4']],
    ['a negative income', { annualIncome: '-1' }, ['annualIncome']],
    ['an income with cents', { annualIncome: '1.50' }, ['annualIncome']],
    ['an income with a separator in front of four digits', { annualIncome: '8,4000' }, ['annualIncome']],
    ['an income with a separator in front of two digits', { annualIncome: '84,00' }, ['annualIncome']],
    ['an income with separated digits', { annualIncome: '8 4 0 0 0' }, ['annualIncome']],
    ['an income with a separator after four digits', { annualIncome: '1260,000' }, ['annualIncome']],
    ['an income with two separators in a row', { annualIncome: '84,,000' }, ['annualIncome']],
    ['an income that begins with a separator', { annualIncome: ',840' }, ['annualIncome']],
    ['an income that ends with a separator', { annualIncome: '84,' }, ['annualIncome']],
    ['an income with a decimal comma', { annualIncome: '84.000,00' }, ['annualIncome']],
    ['no consent', { consent: '' }, ['consent']],
    ['another value of the consent', { consent: 'on' }, ['consent']],
  ])('%s', (_title, change, expected) => {
    expect(errorsOf({ ...typed, ...change })).toEqual(expected);
  });

  it.each([[undefined], [null], ['text'], [[]], [{}], [{ dateOfBirth: ['12/10/1990', '1'] }]])('the form %j', (body) => {
    expect(errorsOf(body)).toContain('dateOfBirth');
  });
});

describe('The application in a state with the minimum age 19', () => {
  const fieldsFrom19 = applicationFields('2026-11-21', 19);
  const errorOf = (form: typeof fields, dateOfBirth: string) => {
    const read = readForm(form, { ...typed, dateOfBirth });
    return read.ok ? undefined : read.errors['dateOfBirth']?.(texts.en);
  };

  it('accepts a buyer who turns 19 today, and states the minimum age if the buyer is younger', () => {
    expect(readForm(fieldsFrom19, { ...typed, dateOfBirth: '11/21/2007' })).toMatchObject({ ok: true });
    expect(errorOf(fieldsFrom19, '11/22/2007')).toBe('Enter your date of birth as MM/DD/YYYY; you must be 19 or older');
    expect(errorOf(fields, '11/22/2008')).toBe('Enter your date of birth as MM/DD/YYYY; you must be 18 or older');
    expect(errorOf(fields, '')).toBe('Enter your date of birth');
  });
});

it.each([
  ['zip', '6270'],
  ['state', 'Illinois'],
  ['phone', '555'],
  ['email', 'a@b'],
  ['firstName', ''],
  ['city', 'x'.repeat(101)],
  ['lastName', 'a\u0000b'],
])('the contact rejects %s = %j', (name, value) => {
  const read = readForm(contactFields, { ...typed, [name]: value });
  expect(read.ok ? [] : Object.keys(read.errors)).toEqual([name]);
});

it.each(['(555) 010-0100', '+1 555 010 0100', '1-555-010-0100', '\u202a555.010.0100\u202c', '(+1) 555\u2013010\u2011\u00a00100'])(
  'the contact accepts the phone number %j',
  (phone) => {
    expect(readForm(contactFields, { ...typed, phone })).toMatchObject({ ok: true, values: { phone: '5550100100' } });
  },
);

it.each([
  '555',
  '555-CALL-NOW',
  '+49 30 1234567',
  '+49 30 123456',
  '+5550100100',
  '055-010-0100',
  '155-010-0100',
  '1'.repeat(15),
  '٥٥٥٠١٠٠١٠٠',
])('the contact rejects the phone number %j', (phone) => {
  expect(readForm(contactFields, { ...typed, phone })).toMatchObject({ ok: false, errors: { phone: expect.any(Function) } });
});

it.each([
  ['en', ['Enter your email address', 'Enter your first name', 'Enter your ZIP code']],
  ['es', ['Escriba su correo electrónico', 'Escriba su nombre', 'Escriba su código postal (ZIP)']],
] as const)('an empty contact lists three errors and folds the others, in the language %s', (language, messages) => {
  const read = readForm(contactFields, {});
  if (read.ok) throw new Error('Expected errors, but received none');
  const t = texts[language];
  const page = new Page('http://localhost/', { text: renderHtml(errorSummary(t, read) as ReturnType<typeof html>) });
  expect(page.texts('summary')).toEqual([t.form.moreErrors.replace('{n}', '5')]);
  for (const message of messages) expect(page.texts('a')).toContain(message);
  expect(page.elements('details').flatMap((folded) => textOf(folded))[0]).not.toContain(page.texts('a')[2]);
});

describe('The state of an address', () => {
  const options = { disableEditShipping: false, requireShippingContact: true };

  it.each([
    ['62701', 'IL'],
    ['00501', undefined],
    ['06390', undefined],
    ['00601', undefined],
    ['10001-1234', 'NY'],
    ['73301', undefined],
    ['79901', 'TX'],
    ['88595', 'TX'],
    ['09021', 'AE'],
    ['20500', 'DC'],
  ])('of the ZIP code %s is %s if none is chosen', (zip, state) => {
    const read = readDetails(options, { ...typed, ...elsewhere, zip, state: '', shippingZip: zip, shippingState: ' ' });
    if (state) expect(read).toMatchObject({ ok: true, details: { billing: { state }, shipping: { state } } });
    else expect(read).toMatchObject({ ok: false, errors: { state: expect.any(Function), shippingState: expect.any(Function) } });
  });

  it.each([
    ['home', { state: 'wi', zip: '62701-1234' }, 'state', 'WI 62701'],
    ['shipping', { shippingState: 'NY', shippingZip: '06101' }, 'shippingState', 'NY 06101'],
  ] as const)('of the %s address is a question if it contradicts the ZIP code, asked once', (group, changes, name, asked) => {
    const body = { ...typed, ...elsewhere, ...changes };
    const read = readDetails(options, body);
    if (read.ok) throw new Error('Expected a question, but received none');
    expect(Object.keys(read.errors)).toEqual([name]);
    expect(read.values).toMatchObject({ ...changes, asked });
    expect(isComplete(group, read), 'the group with the question is not folded').toBe(false);
    const answered = readDetails(options, read.values);
    expect(answered).toMatchObject({ ok: true });
    if (!answered.ok) return;
    const { billing, shipping } = answered.details;
    const { state, zip } = group === 'home' ? billing : shipping;
    expect(`${state} ${zip}`, 'the answer of the buyer counts').toBe(asked);
  });

  it('is asked about in the language of the page, with the names of both states', () => {
    const read = readDetails(options, { ...typed, state: 'TN', zip: '40601' });
    if (read.ok) throw new Error('Expected a question, but received none');
    expect(read.errors['state']!(texts.en)).toBe(
      'ZIP code 40601 is usually in Kentucky, but the state is Tennessee. Correct one of them, or continue if both are right',
    );
    expect(read.errors['state']!(texts.es)).toContain('suele ser de Kentucky, pero el estado es Tennessee');
  });

  it('is asked about again if the buyer changes it to another contradiction', () => {
    const read = readDetails(options, { ...typed, state: 'CA', asked: 'WI 62701, WI 62702' });
    expect(read).toMatchObject({ ok: false, errors: { state: expect.any(Function) }, values: { asked: 'CA 62701' } });
  });

  it.each([
    ['TN', '42223'],
    ['KY', '42223'],
    ['NY', '06390'],
    ['TX', '73949'],
    ['WY', '83414'],
    ['NY', '00501'],
  ])('%s is no question for the ZIP code %s, which has no certain state', (state, zip) => {
    expect(readDetails(options, { ...typed, state, zip })).toMatchObject({ ok: true, details: { billing: { state, zip } } });
  });

  it('that the cart fixes is asked about if the entered ZIP code contradicts it', () => {
    const shippingContact = { fullName: 'Store Pickup', address: '1 Main Street', city: 'Boise', state: 'ID' };
    const fixed = { ...options, disableEditShipping: true, shippingContact };
    const read = readDetails(fixed, { ...typed, shippingZip: '97201' });
    expect(read).toMatchObject({ ok: false, errors: { shippingZip: expect.any(Function) } });
    expect(readDetails(fixed, read.ok ? {} : read.values)).toMatchObject({ ok: true, details: { shipping: { zip: '97201' } } });
  });

  it('of a cart is asked about once as well, and not again when the buyer returns to their details', () => {
    const address = { address: '1 Main Street', city: 'Erie', state: 'NY', zip: '16501' };
    const billingContact = { firstName: 'Ada', lastName: 'Lovelace', ...address };
    const first = prefilledDetails({ ...options, billingContact }, undefined);
    expect(isComplete('home', first)).toBe(false);
    const billing = { ...NO_CONTACT, ...billingContact };
    const returning = prefilledDetails(options, { billing, shipping: billing, shippingTypeId: null });
    expect(isComplete('home', returning)).toBe(true);
    expect(readDetails(options, { ...returning.values, email: typed.email, phone: typed.phone })).toMatchObject({ ok: true });
  });

  it('is known for every state, and each prefix is in one state', () => {
    expect(Object.keys(ZIP_RANGES).toSorted()).toEqual(Object.keys(POSTAL_STATES).toSorted());
    for (const [state, ranges] of Object.entries(ZIP_RANGES)) {
      for (const prefix of ranges.split(/[ -]/)) expect(stateOfZip(`${prefix}99`), `prefix ${prefix}`).toBe(state);
    }
  });
});

it.each([
  ['en', 'firstName', 'John 3rd', 'Enter your first name, without “3”'],
  ['en', 'lastName', 'King, Martin', 'Enter your last name, without “,”'],
  ['en', 'lastName', 'evil.com', 'Enter your last name, without numbers, symbols or links'],
  ['en', 'lastName', '', 'Enter your last name'],
  ['es', 'firstName', '<b>Ada', 'Escriba su nombre, sin “<”'],
] as const)('a message in the language %s about %s = %j names the refused character: %s', (language, name, value, message) => {
  const read = readForm(contactFields, { ...typed, [name]: value });
  expect(read.ok || read.errors[name]!(texts[language])).toBe(message);
});

it('a name of more than two words in a cart is shown as two filled fields that are not folded, until the buyer has seen them', () => {
  const options = { disableEditShipping: false, requireShippingContact: true };
  const contact = { fullName: 'Gabriel García Márquez', address: '1 Main Street', city: 'Albany', state: 'NY', zip: '12207' };
  const form = prefilledDetails(
    { ...options, billingContact: contact, shippingContact: { ...contact, address: '2 Main Street' } },
    undefined,
  );
  expect(form.values).toMatchObject({ firstName: 'Gabriel García', lastName: 'Márquez', shippingLastName: 'Márquez' });
  expect([isComplete('home', form), isComplete('shipping', form)]).toEqual([false, false]);
  const known = { ...NO_CONTACT, ...contact, firstName: 'Gabriel', lastName: 'García Márquez' };
  const again = prefilledDetails(options, { billing: known, shipping: known, shippingTypeId: null });
  expect(isComplete('home', again)).toBe(true);
  const certain = prefilledDetails({ ...options, billingContact: { ...contact, fullName: 'Gabriel Márquez' } }, undefined);
  expect(isComplete('home', certain)).toBe(true);
});

it.each([
  ['contact', {}, true],
  ['contact', { phone: '555' }, false],
  ['home', {}, true],
  ['home', { address: 'P.O. Box 12' }, false],
  ['shipping', {}, true],
  ['shipping', { shippingZip: '' }, false],
] as const)('the fields of the group %s with %j are complete: %s', (group, changes, expected) => {
  expect(isComplete(group, { values: { ...typed, ...elsewhere, ...changes }, errors: {} })).toBe(expected);
});

it('a signature requires a name and both consents', () => {
  const read = readForm(signatureFields, {});
  expect(read.ok ? [] : Object.keys(read.errors)).toEqual(['electronic', 'agree', 'signedName']);
});
