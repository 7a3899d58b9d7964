/** Produces every status of an application with pages, the sandbox's test buyers, the merchant API and the clock. */
import { describe, expect, it } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { runRetryJob } from '../../../../server/checkout/waiting/job.ts';
import type { CreditDecision } from '../../../../server/lending/lenders/lender.ts';
import { noLender } from '../../../support/lenders.ts';
import { plusDays } from '../../../../server/base/time.ts';
import { checkoutDeps, createCart, open, type Page, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { createProgram } from '../../../support/programs.ts';
import { startService } from '../../../support/service.ts';
import { dateIn } from '../../../../shared/dates.ts';

/** The link of a cart, and the actions of the merchant, the clock and the job. */
interface Checkout {
  url: string;
  expireCart(): Promise<unknown>;
  advanceDays(days: number): void;
  /** Runs both jobs, with the decision that the lender sends. */
  runJob(decision?: CreditDecision): Promise<void>;
}
type Steps = (checkout: Checkout) => Promise<unknown>;

const submitDetails = async ({ url }: Checkout): Promise<Page> => submit(await open(url));
const apply =
  (taxIdLast4: string): Steps =>
  async (checkout) =>
    submit(await submitDetails(checkout), { taxIdLast4 });
const reachCard = async (checkout: Checkout): Promise<Page> => submit((await apply('1101')(checkout)) as Page);
const reachSigning = ({ url }: Checkout, taxIdLast4 = '1001'): Promise<Page> => reachAgreement(url, { taxIdLast4 });
const sign =
  (taxIdLast4: string): Steps =>
  async (checkout) =>
    submit(await reachSigning(checkout, taxIdLast4));
const extendApproval = async (checkout: Checkout): Promise<Page> => {
  const agreement = await reachSigning(checkout);
  checkout.advanceDays(6);
  return submit(await open(sessionUrl(agreement)), {}, '/extend');
};

/** The end of a checkout by the job, days after it was reached. */
const afterDays =
  (reach: Steps, days: number): Steps =>
  async (checkout) => {
    await reach(checkout);
    checkout.advanceDays(days);
    return checkout.runJob();
  };
/** An approval after the merchant has ended the cart. */
const approvedLate =
  (limitCents: number | null): Steps =>
  async (checkout) => {
    await apply('5002')(checkout);
    await checkout.expireCart();
    checkout.advanceDays(1);
    return checkout.runJob({ outcome: 'approved', tierId: 'A', limitCents });
  };
const changeDetails: Steps = async (checkout) =>
  submit(await open(`${sessionUrl((await apply('4003')(checkout)) as Page)}/details`));
const cancel: Steps = async (checkout) => submit(await open(`${sessionUrl(await reachSigning(checkout))}/cancel`));
const restart: Steps = async (checkout) => {
  await reachSigning(checkout);
  return submit(await open(`${checkout.url}/restart`));
};
const expireCart: Steps = async (checkout) => {
  await submitDetails(checkout);
  return checkout.expireCart();
};
const excluded: Steps = async ({ url }) => submit(await open(url), { state: 'IA' });

type Case = [status: keyof typeof statusCodes, code: string, when: string, steps: Steps];
const cases: Case[] = [
  ['STARTED', '100000', 'the details are submitted', submitDetails],
  ['STARTED', '100100', 'the lender’s response is late', apply('5002')],
  ['STARTED', '100000', 'the lender cannot be reached', apply('5001')],
  ['APPROVED', '200000', 'the lender approves', apply('1001')],
  ['APPROVED', '200100', 'the lender approves a part of the total', apply('1101')],
  ['APPROVED', '200200', 'the lender approves after the cart has ended', approvedLate(null)],
  ['APPROVED', '200300', 'the lender approves a part of the total after the cart has ended', approvedLate(45_000)],
  ['DENIED', '300000', 'the lender denies', apply('2001')],
  ['DENIED', '300200', 'the lender denies because of the income', apply('2002')],
  ['DENIED', '300300', 'the lender denies because of debts', apply('2003')],
  ['DENIED', '300400', 'the lender denies because of the identity', apply('2004')],
  ['DENIED', '300900', 'the lender rejects the signed agreement', sign('6002')],
  ['INELIGIBLE', '310300', 'the lender makes no such loan to anyone', apply('3001')],
  ['INELIGIBLE', '310100', 'the program has no offers in the buyer’s state', excluded],
  ['NEEDS_ACTION', '400100', 'the credit file is frozen', apply('4001')],
  ['NEEDS_ACTION', '400200', 'the identity must be confirmed', apply('4002')],
  ['NEEDS_ACTION', '400300', 'the details must be corrected', apply('4003')],
  ['STARTED', '100200', 'the buyer changes the details of an incomplete application', changeDetails],
  ['EXPIRED', '800300', 'the buyer does not complete the application', afterDays(apply('4001'), 20)],
  ['ATTEMPTED_PREPARE_CHECKOUT', '500000', 'a card is required for the remainder', reachCard],
  ['CHECKOUT_PREPARED', '510000', 'a plan is chosen', (checkout) => reachSigning(checkout)],
  ['CHECKOUT_PREPARED', '510000', 'a card is chosen for the remainder', async (checkout) => submit(await reachCard(checkout))],
  ['ATTEMPTED_CHECKOUT', '600000', 'the lender’s response to the signature is late', sign('6001')],
  ['CHECKOUT_COMPLETED', '610000', 'the agreement is signed', sign('1001')],
  ['CHECKOUT_EXTENDED', '620000', 'the buyer extends an approval that expires soon', extendApproval],
  ['CHECKOUT_COMPLETED', '610000', 'an extended approval is signed', async (checkout) => submit(await extendApproval(checkout))],
  ['CANCELLED', '700100', 'the buyer cancels', cancel],
  ['CANCELLED', '700300', 'the buyer starts the checkout again', restart],
  ['CANCELLED', '700200', 'the merchant expires the cart', expireCart],
  ['EXPIRED', '800100', 'the decision deadline passes', afterDays(submitDetails, 31)],
  ['EXPIRED', '800200', 'the approval expires', afterDays((checkout) => reachSigning(checkout), 8)],
];

const service = await startService();
service.clock.moveTo('2027-03-10T12:00:00.000000Z');
const program = createProgram({ id: 'own', states: { excluded: ['IA'] } });
const merchant = await service.createMerchant({ program });

describe('An application is', () => {
  it.each(cases)('%s, %s, when %s', async (status, code, _when, steps) => {
    const { database, clock } = service;
    const startedAt = clock.now();
    const cart = await createCart(merchant, {}, { expiration: dateIn(plusDays(startedAt, 30), 'UTC') });
    const errors: unknown[] = [];
    try {
      await steps({
        url: cart.url,
        expireCart: () => merchant.post(`/carts/${cart.id}/expire`),
        advanceDays: (days) => clock.moveTo(plusDays(clock.now(), days)),
        runJob: async (decision) => {
          const lender = { ...noLender, ...(decision && { decisionOf: async () => decision }) };
          const job = { deps: checkoutDeps(database, { lender }), clock, onError: (thrown: unknown) => errors.push(thrown) };
          await runRetryJob(job);
          await runCheckoutJob({ ...job, retention: { unfinishedApplicationHours: 24 } });
        },
      });
      const application = await database.query
        .selectFrom('applications')
        .select(['status', 'statusCode'])
        .where('cartId', '=', cart.id)
        .orderBy('createdAt')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      expect({ ...application, errors }).toEqual({ status, statusCode: code, errors: [] });
    } finally {
      clock.moveTo(startedAt);
    }
  });
});

it('The cases above cover every status and code except a law, which no test buyer has', () => {
  const known = Object.entries(statusCodes).flatMap(([status, codes]) => Object.values(codes).map((code) => `${status} ${code}`));
  const covered = new Set(cases.map(([status, code]) => `${status} ${code}`));
  expect(known.filter((code) => !covered.has(code))).toEqual(['INELIGIBLE 310200']);
});
