/** The identification of a buyer: the notice of a bank, a street address, and the whole tax number if the program asks for it. */
import { describe, expect, it } from 'vitest';
import { readApplication } from '../../../../server/checkout/steps/application.ts';
import { readDetails } from '../../../../server/checkout/steps/details/form.ts';
import { texts } from '../../../../server/base/texts.ts';
import type { CreditRequest } from '../../../../server/lending/lenders/lender.ts';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { elsewhere, open, submit, typed } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { storedApplication } from '../../../support/stored.ts';

const contact = { ...typed, address2: '' };

const NO_OPTIONS = { disableEditShipping: false, requireShippingContact: false };

/** The last digits of a number, alone or at its end, but not within an id or a fraction of a second. */
const LAST_DIGITS = /(?<![\w.])(?:\d{3}-?\d{2}-?)?6789(?!\w)/;

const requests: CreditRequest[] = [];
const sandbox = sandboxLender();
const decide = (request: CreditRequest) => {
  requests.push(request);
  return sandbox.decide(request);
};
const database = await createDatabase();
const app = await startApp(database, { lender: { ...sandbox, decide } });
for (const program of [
  createProgram({ id: 'bank', lender: { name: 'First Fair Bank', model: 'bank-partner' }, application: { taxId: 'full' } }),
  createProgram({ id: 'licensed', lender: { name: 'Fair Loans', model: 'licensed-lender' } }),
]) {
  await importProgram(database, program, [app.merchantId], { asDefault: false }, systemClock.now());
}

describe('The identification of a buyer', () => {
  const linkOf = async (financingProgramId: string) => (await app.createCart({ financingProgramId })).url;

  it('is announced on the first page if the lender is a bank, in the words of the regulation', async () => {
    const { text } = await open(await linkOf('bank'));
    for (const sentence of [
      'Important information about procedures for opening a new account',
      'To help the government fight the funding of terrorism and money laundering activities, Federal law requires all financial institutions to obtain, verify, and record information that identifies each person who opens an account.',
      'When you open an account, we will ask for your name, address, date of birth, and other information that will allow us to identify you. We may also ask to see your driver’s license or other identifying documents.',
    ]) {
      expect(text).toContain(sentence);
    }
    expect((await open(`${await linkOf('bank')}?lang=es`)).text).toContain(texts.es.details.identification.law);
    expect((await open(await linkOf('licensed'))).text).not.toContain('funding of terrorism');
  });

  it.each([
    [{ address: 'P.O. Box 12' }, ['address']],
    [{ address2: 'P.O. Box 12' }, ['address2']],
    [{ address: 'P.O. 123', address2: 'General Delivery' }, ['address', 'address2']],
    [{ address: 'HC 1 Box 23' }, []],
  ])('rejects a post office box as home address: %j leads to errors in %j', (changes, fields) => {
    const read = readDetails(NO_OPTIONS, { ...contact, ...changes });
    expect(read.ok ? [] : Object.keys(read.errors)).toEqual(fields);
    if (read.ok) return;
    expect(read.errors[fields[0]!]!(texts.en)).toContain('Enter the street address of your home');
    expect(read.errors[fields[0]!]!(texts.es)).toContain('Escriba la dirección de su domicilio');
  });

  it.each([
    ['PSC 12 P.O. Box 4190', 'AE', '09010'],
    ['PSC 3 Box 12', 'AP', '96301'],
    ['Unit 2050 Box 4190', 'AA', '34001'],
    ['General Delivery', 'AE', '09010'],
  ])('accepts the military address %s in %s', (address, state, zip) => {
    expect(readDetails(NO_OPTIONS, { ...contact, address, city: 'APO', state, zip })).toMatchObject({ ok: true });
  });

  it('accepts a post office box as shipping address', () => {
    const input = { ...contact, ...elsewhere, shippingAddress: 'P.O. Box 12' };
    const read = readDetails({ ...NO_OPTIONS, requireShippingContact: true }, input);
    expect(read).toMatchObject({ ok: true, details: { shipping: { address: 'P.O. Box 12' } } });
  });

  it.each([
    ['123-45-6789', '123456789'],
    ['123 45 6789', '123456789'],
    ['900701234', '900701234'],
    ['123\u201345\u20136789', '123456789'],
    ['123\u221245\u00a06789', '123456789'],
    ['6789', undefined],
    ['1234567890', undefined],
    ['000-12-3456', undefined],
    ['666-12-3456', undefined],
    ['123-00-4567', undefined],
    ['123-45-0000', undefined],
    ['123-45-678X', undefined],
  ])('reads the whole tax number %s as %s if the program asks for it', (taxId, expected) => {
    const program = createProgram({ application: { taxId: 'full' } });
    const read = readApplication({ ...typed, taxId }, program, 'IL', systemClock.now());
    if (expected) expect(read).toMatchObject({ applicant: { taxId: expected, taxIdLast4: expected.slice(-4) } });
    else expect(read).toMatchObject({ ok: false, values: { taxId: '' }, errors: { taxId: expect.any(Function) } });
  });

  it('passes the whole tax number on to the lender, and neither stores, logs nor shows it again', async () => {
    const cart = await app.createCart({ financingProgramId: 'bank' });
    const form = await submit(await open(cart.url));
    expect(form.text).toContain('name="taxId"');
    expect(form.text).not.toContain('name="taxIdLast4"');
    const rejected = await submit(form, { taxId: '123-45-6789', annualIncome: 'much' });
    expect(rejected.status).toBe(422);
    expect(rejected.text).not.toMatch(LAST_DIGITS);

    expect((await submit(form, { taxId: '123-45-6789' })).step).toBe('plans');
    expect(requests.at(-1)!.applicant).toMatchObject({ taxId: '123456789', taxIdLast4: '6789' });
    expect(JSON.stringify(await storedApplication(database, cart.id))).not.toMatch(/123-?45-?6789/);
    expect(app.logged.join('\n')).not.toMatch(LAST_DIGITS);
  });

  it('asks for the last four digits by default, and passes nothing else on', async () => {
    const cart = await app.createCart({ financingProgramId: 'licensed' });
    const form = await submit(await open(cart.url));
    expect(form.text).not.toContain('name="taxId"');
    const input = { taxId: '123-45-6789', taxIdLast4: '7391', dateOfBirth: '02/29/1984', annualIncome: '73915' };
    await submit(form, input);
    const { applicant } = requests.at(-1)!;
    expect(applicant).toEqual({ taxIdLast4: '7391', dateOfBirth: '1984-02-29', annualIncomeCents: 7_391_500 });
  });
});
