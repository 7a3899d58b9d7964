/** Invalid lender responses. The service does not treat them as decisions and does not offer a loan that the program lacks. */
import { describe, expect, it } from 'vitest';
import { texts } from '../../../../server/base/texts.ts';
import type { CreditDecision, CreditRequest, Lender } from '../../../../server/lending/lenders/lender.ts';
import { open, type Page, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { noLender } from '../../../support/lenders.ts';
import { startApp } from '../../../support/app.ts';
import { createOffer, createProgram } from '../../../support/programs.ts';
import { storedApplication, storedDeliveries } from '../../../support/stored.ts';

const approved = { outcome: 'approved', tierId: 'A', limitCents: null };

type Reason = keyof typeof texts.en.adverseAction.reasons;

const database = await createDatabase();

describe('A lender', () => {
  const applicationOf = (cartId: string) =>
    database.query.selectFrom('applications').selectAll().where('cartId', '=', cartId).executeTakeFirstOrThrow();
  /** Requires a denial with these reasons on the page, in the application and in the event for the lender. */
  const expectDenial = async (page: Page, cartId: string, reasons: Reason[]) => {
    expect(page).toMatchObject({ status: 200, step: 'declined' });
    for (const reason of reasons) expect(page.text).toContain(texts.en.adverseAction.reasons[reason]);
    const { id, requestId, ...application } = await storedApplication(database, cartId);
    expect(application).toMatchObject({ status: 'DENIED', tierId: null, financedCents: null, decision: { reasons } });
    const deliveries = (await storedDeliveries(database)).filter(
      (each) => each.applicationId === id && each.channel === 'lender',
    );
    const events = deliveries.map(({ body }) => JSON.parse(body)).filter(({ type }) => type !== 'notice');
    expect(events).toMatchObject([{ type: 'application-denied', reasons, applicationId: id, requestId }]);
  };
  const given = async (lender: object) => {
    const responds = {
      decide: async () => approved,
      decisionOf: async () => 'unknown',
      accept: async () => ({ outcome: 'accepted' }),
      ...lender,
    };
    const app = await startApp(database, { lender: { ...noLender, ...responds } as unknown as Lender });
    return { ...app, cart: await app.createCart() };
  };

  it('that approves an application for an unknown tier has not decided', async () => {
    const { cart, logged } = await given({ decide: async () => ({ ...approved, tierId: 'Z' }) });
    const page = await reachDecision(cart.url);
    expect(page).toMatchObject({ status: 200, step: 'waiting' });
    expect(page.faults).toEqual([]);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100', tierId: null });
    expect(logged.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  it.each<[stated: Reason[], reasons: Reason[]]>([
    [['income'], ['income', 'limit']],
    [
      ['income', 'debt', 'no-file', 'garnishment'],
      ['income', 'debt', 'no-file', 'limit'],
    ],
  ])('that approves less than the smallest plan for the reasons %j denies the application for %j', async (stated, reasons) => {
    const { cart } = await given({ decide: async () => ({ ...approved, limitCents: 100, reasons: stated }) });
    const page = await reachDecision(cart.url);
    await expectDenial(page, cart.id, reasons);
    expect(page.text).toContain('The Federal Equal Credit Opportunity Act prohibits');
  });

  it('that approves a tier without a plan for the order in the buyer’s state denies the application with a notice', async () => {
    const decisions = [approved, { ...approved, reasons: ['delinquency'] }] as CreditDecision[];
    const offers = [
      createOffer({ id: 'small', termLength: 12, maxCents: 50_000 }),
      createOffer({ id: 'any', termLength: 24, tierAprBps: { B: 1_999 } }),
    ];
    const amount = { minCents: 5_000, maxCents: 90_000, mayHaveGaps: true };
    const program = createProgram({ id: 'uneven', offers, amount });
    const app = await startApp(database, { lender: { ...noLender, decide: async () => decisions.shift()! }, program });
    const unexplained = await app.createCart();
    expect(await reachDecision(unexplained.url)).toMatchObject({ status: 200, step: 'waiting' });
    const cart = await app.createCart();
    await expectDenial(await reachDecision(cart.url), cart.id, ['delinquency', 'tier']);
  });

  it('that approves a part of the order has not decided where no card can pay the rest', async () => {
    const partly = { ...approved, limitCents: 60_000, reasons: ['income'] };
    const requests: CreditRequest[] = [];
    const decide = async (request: CreditRequest) => {
      requests.push(request);
      return partly as CreditDecision;
    };
    const app = await startApp(database, { lender: { ...noLender, decide }, cards: undefined });
    const cart = await app.createCart();
    expect(await reachDecision(cart.url)).toMatchObject({ status: 200, step: 'waiting' });
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'STARTED', statusCode: '100100' });
    expect(requests).toMatchObject([{ partialApproval: false }]);
  });

  it('that approves a servicemember for whom every plan is too expensive denies with the true reason', async () => {
    const decision = { ...approved, coveredBorrower: true } as CreditDecision;
    const program = createProgram({
      id: 'expensive',
      caps: { maxAprBps: 6_000, maprCapBps: null },
      offers: [createOffer({ termLength: 12, tierAprBps: { A: 4_500 } })],
    });
    const app = await startApp(database, { lender: { ...noLender, decide: async () => decision }, program });
    const cart = await app.createCart();
    const page = await reachDecision(cart.url);
    await expectDenial(page, cart.id, ['military-rate-cap']);
    expect(page.text).not.toContain(texts.en.adverseAction.bureauHeading);
  });

  it.each([
    ['law', '310200', 'The law does not allow Fairterm Lending to make', 'La ley no permite que Fairterm Lending otorgue'],
    ['not-offered', '310300', 'Fairterm Lending makes no loan of this kind', 'Fairterm Lending no otorga préstamos de este tipo'],
  ])(
    'that makes no such loan to anyone (%s) is named on the page with this reason instead of the buyer’s state',
    async (reason, statusCode, inEnglish, inSpanish) => {
      const { cart } = await given({ decide: async () => ({ outcome: 'ineligible', reason }) });
      const page = await reachDecision(`${cart.url}?display=popup`);
      expect(page).toMatchObject({ step: 'unavailable' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'INELIGIBLE', statusCode });
      expect(page.text).toContain(inEnglish);
      expect(page.text).not.toContain('no lender has received');
      expect(page.text).not.toMatch(/<main[^]*residents of Illinois/);
      const spanish = await open(`${sessionUrl(page)}?lang=es&display=popup`);
      expect(spanish.text).toContain(inSpanish);
      expect(spanish.text).not.toContain('no se consultó a ningún prestamista');
    },
  );

  it('that responds to a signature with a decision has not confirmed it', async () => {
    const { cart } = await given({ accept: async () => approved });
    const page = await submit(await reachAgreement(cart.url));
    expect(page).toMatchObject({ status: 200, step: 'waiting-signed' });
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_CHECKOUT', statusCode: '600000' });
  });

  it('that throws causes an internal error, and the next request retrieves its decision', async () => {
    const responses: (() => unknown)[] = [() => Promise.reject(new TypeError('x is not a function'))];
    const { cart, logged } = await given({ decide: async () => responses.shift()!(), decisionOf: async () => approved });
    const applying = await submit(await open(cart.url));
    expect(await submit(applying)).toMatchObject({ status: 500, step: 'unexpected-error' });
    expect(logged.filter((line) => line.includes('"error":"TypeError"'))).toHaveLength(1);
    expect(await submit(applying)).toMatchObject({ step: 'plans' });
  });
});
