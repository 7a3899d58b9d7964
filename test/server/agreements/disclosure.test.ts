/** The terms of a program with fees and a down payment, as shown, signed and stored. */
import { describe, expect, it } from 'vitest';
import { disclosureHash, signedAgreement } from '../../../server/agreements/agreement.ts';
import { addVersion } from '../../../server/lending/programs/store.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { requireIdentities } from '../../../shared/disclosure/disclosure-identities.ts';
import { elaborate as elaborateTerms } from '../../shared/disclosure/create-disclosure.ts';
import {
  chair,
  copyOf,
  createCart,
  open,
  type Page,
  program,
  reachAgreement,
  reachDecision,
  reachStep,
  sessionUrl,
  submit,
} from '../../support/checkout.ts';
import { inSpanish } from '../../support/checkout-pages.ts';
import { createOffer, createProgram } from '../../support/programs.ts';
import { wordsOf } from '../../support/page.ts';
import { startService } from '../../support/service.ts';
import { findCheckoutByCode } from '../../../server/checkout/session/store.ts';
import { storedApplication } from '../../support/stored.ts';

const armchair = { ...chair, price: 124_800 };
const promotion = { from: '2026-11-01', to: '2099-12-31' };

/** The terms of a program that an import accepts. */
const elaborate = { ...elaborateTerms, fees: elaborateTerms.fees.slice(0, 1) };

const service = await startService();
const merchant = await service.createMerchant();
const importVersion = (version: number, change: Record<string, unknown>, owner = merchant) =>
  importProgram(
    service.database,
    createProgram({ version, ...change }),
    [owner.merchantId],
    { asDefault: true },
    service.clock.now(),
  );
await importVersion(2, {
  ...elaborate,
  states: { ...elaborate.states, overrides: { AL: { minAge: 19 } } },
  offers: [
    createOffer({ id: 'year', termLength: 12, tierAprBps: { A: 1_799 } }),
    createOffer({ id: 'half', termLength: 6, tierAprBps: { A: 1_499 } }),
  ],
});

describe('The terms of a program', () => {
  const createUrl = async (owner = merchant) => (await createCart(owner, { items: [armchair] })).url;
  const agreementOf = async (url: string) => {
    const code = new URL(url).pathname.split('/')[2]!;
    const { cart } = (await findCheckoutByCode(service.database.query, code))!;
    const application = await storedApplication(service.database, cart.id);
    return { id: application.id, agreement: signedAgreement(application)! };
  };
  const mainText = ({ text }: Page) => wordsOf(/<main.*<\/main>/s.exec(text)![0]);
  const disclosureIn = ({ text }: Page) => text.match(/<section class="(?:tila|sums|terms)".*?<\/section>/gs)?.join('\n');

  it('include the down payment, the fees, the rate, the finance charge and the total of every plan', async () => {
    const page = await reachDecision(await createUrl());

    expect(page.step).toBe('plans');
    expect(mainText(page)).toContain('You’re approved for $1,123.20');
    expect(mainText(page)).toContain('You pay the remaining $124.80 by card. This includes the down payment of $124.80.');
    expect(mainText(page)).toContain(
      'The payments repay $1,145.66: the $1,123.20 that you are approved for, and an origination fee of $22.46.',
    );
    expect(mainText(page)).toMatch(
      /\$105\.03 a month \$124\.80 down payment plus 12 payments APR 21\.\d\d% Finance charge \$145\.06 Total of payments \$1,268\.26/,
    );
    expect(mainText(page)).toMatch(/plus 12 payments .* plus 6 payments/);
    expect(mainText(page)).toContain('First payment $112.94');
  });

  it('are compared from the plan that the button advertised, with none selected', async () => {
    const shop = await service.createMerchant();
    // The plan of 24 months, with the lowest payment, must not be advertised in every state.
    const capped = createProgram({ id: 'capped', caps: { stateAprCapBps: { AL: 800 } } });
    await importProgram(service.database, capped, [shop.merchantId], { asDefault: true }, service.clock.now());
    const quote = await shop.post('/aslowas', { customTotal: armchair.price });
    const page = await reachDecision(await createUrl(shop));

    expect(quote.body).toMatchObject({ asLowAs: { termLength: 12 } });
    expect(page.texts('span', { class: 'term' })).toEqual(['for 12 months', 'for 24 months', 'for 6 months']);
    expect(page.elements('input', { type: 'radio' })).toHaveLength(3);
    expect(page.elements('input', { checked: '' })).toEqual([]);
  });

  it.each([
    [
      'en',
      'You’re approved for $450.00, with $300.00 left to pay',
      'You pay the remaining $300.00 by card.',
      'Notice of this decision',
    ],
    [
      'es',
      'Se le aprobaron $450.00 y quedan $300.00 por pagar',
      'Los $300.00 restantes los paga con tarjeta.',
      'Aviso de esta decisión',
    ],
  ])(
    'begin with the smaller amount and what is left to pay, and have their notices below headings: %s',
    async (lang, title, lead, heading) => {
      const plans = await reachDecision((await createCart(await service.createMerchant())).url, { taxIdLast4: '1101' });
      const page = await open(lang === 'es' ? inSpanish(plans).url : plans.url);

      expect(page.texts('h1')).toEqual([title]);
      expect(mainText(page)).toContain(`${title} ${lead}`);
      expect(page.texts('h2')).toContain(heading);
    },
  );

  it('are signed as shown, and stored so that every number can be verified again', async () => {
    const url = await createUrl();
    const page = await reachAgreement(url, { state: 'CA' });
    for (const figure of ['21.54%', '$145.06', '$1,123.20', '$1,268.26']) expect(mainText(page)).toContain(figure);
    await submit(page);

    const { agreement } = await agreementOf(url);
    expect(agreement.disclosure).toMatchObject({
      apr: 0.2154,
      state: 'CA',
      merchantName: 'Acme Goods',
      programVersion: 2,
      offerId: 'year',
      creditor: { name: 'First Fair Bank', nmlsId: '1234567', license: elaborate.lender.licenses.CA },
      date: service.clock.now().slice(0, 10),
    });
    expect(() => requireIdentities(agreement.disclosure)).not.toThrow();
    expect(disclosureHash(agreement.disclosure)).toBe(agreement.disclosureHash);
  });

  it('are the same in the buyer’s copy of the agreement after the program changes', async () => {
    const seller = await service.createMerchant();
    await importVersion(2, elaborate, seller);
    const url = await createUrl(seller);
    const page = await reachAgreement(url);
    await submit(page);
    await importVersion(3, { lender: { name: 'Another Bank' }, late: { flatCents: 9_900 } }, seller);

    const copy = await open(await copyOf(await open(sessionUrl(page)), service.database));
    expect(copy).toMatchObject({ status: 200, heading: 'Loan agreement' });
    expect(disclosureIn(copy)).toBe(disclosureIn(page));
    expect(disclosureIn(copy)).toContain('First Fair Bank');
  });

  it('require the legal age of the buyer’s state', async () => {
    const year = Number(service.clock.now().slice(0, 4)) - 18;
    const dateOfBirth = `01/01/${year}`;
    const inAlabama = await reachDecision(await createUrl(), { state: 'AL', dateOfBirth });
    expect(inAlabama).toMatchObject({ status: 422, step: 'apply' });
    expect(inAlabama.text).toContain('Enter your date of birth as MM/DD/YYYY; you must be 19 or older');

    expect(await reachDecision(await createUrl(), { state: 'IL', dateOfBirth })).toMatchObject({ step: 'plans' });
  });

  it('highlight an interest-free plan, with the dates of its promotion', async () => {
    const seller = await service.createMerchant();
    const offers = [
      createOffer({ id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo: promotion }),
      createOffer({ id: 'always', termLength: 3, tierAprBps: { A: 0 } }),
      createOffer({ id: 'year', termLength: 12, tierAprBps: { A: 999 } }),
    ];
    await importVersion(2, { offers }, seller);
    const page = await reachDecision(await createUrl(seller));

    expect(mainText(page)).toContain(
      '$208.00 a month for 6 months 0% APR Promotional rates are for purchases from November 1, 2026 through December 31, 2099. APR 0% Finance charge $0.00',
    );
    expect(mainText(page)).toContain('$416.00 a month for 3 months 0% APR No finance charge. APR 0%');
    expect(mainText(page)).toContain('a month for 12 months APR 9.99%');
    expect(mainText(page)).not.toContain('down payment');
  });
});

describe('An inconsistent disclosure', () => {
  it('is neither shown nor signed, and the buyer can try again or leave', async () => {
    const another = await startService();
    const owner = await another.createMerchant();
    // An import would reject this version. Only the disclosure reads the late fee.
    const invalidVersion = { ...createProgram({ version: 2 }), late: { ...program.late, flatCents: -1 } };
    const { id } = await another.database.query.selectFrom('programs').select('id').executeTakeFirstOrThrow();
    await another.database.write((tx) => addVersion(tx, id, invalidVersion, another.clock.now()));
    const cart = await createCart(owner);

    const agreement = await submit(await reachStep(cart.url, 'plans'));
    expect(agreement).toMatchObject({ status: 500, step: 'unexpected-error' });
    expect(agreement.text).toContain('href="https://shop.example/"');
    expect(another.logged.join('')).toContain('at requireIdentities');
    expect(await owner.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({ status: 500 });
    expect(await another.database.query.selectFrom('transactions').select('id').execute()).toEqual([]);
  });
});
