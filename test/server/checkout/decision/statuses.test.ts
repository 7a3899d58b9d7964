/** How every status of an application comes about: by pages, the sandbox's test buyers, the merchant and the clock. */
import { beforeAll, describe, expect, it } from 'vitest';
import { statusCodes } from '../../../../server/applications/lifecycle.ts';
import { sandboxGateway } from '../../../../server/cards/sandbox-gateway.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { noLender } from '../../../../server/lenders/create-lender.ts';
import { importProgram } from '../../../../server/merchants/import-program.ts';
import { dateOf, plusDays } from '../../../../server/time.ts';
import { createCart, noMail, open, type Page, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { givenProgram } from '../../../support/programs.ts';
import { startService, type TestMerchant, type TestService } from '../../../support/service.ts';

/** What a way can do, beside what buyers do. */
interface Means {
  url: string;
  merchantExpires(): Promise<unknown>;
  daysPass(days: number): void;
  sweep(): Promise<void>;
}
type Way = (means: Means) => Promise<unknown>;

const detailed = async ({ url }: Means): Promise<Page> => submit(await open(url));
const applied =
  (taxIdLast4: string): Way =>
  async (means) =>
    submit(await detailed(means), { taxIdLast4 });
const atCard = async (means: Means): Promise<Page> => submit((await applied('1101')(means)) as Page);
const atAgreement = ({ url }: Means, taxIdLast4 = '1001'): Promise<Page> => reachAgreement(url, { taxIdLast4 });
const signed =
  (taxIdLast4: string): Way =>
  async (means) =>
    submit(await atAgreement(means, taxIdLast4));
const stored = async (means: Means): Promise<Page> => {
  const agreement = await atAgreement(means);
  means.daysPass(6);
  return submit(await open(sessionUrl(agreement)), {}, '/extend');
};

const ways: [status: keyof typeof statusCodes, code: string, how: string, way: Way][] = [
  ['STARTED', '100000', 'the details are there', detailed],
  ['STARTED', '100100', 'the lender’s answer is late', applied('5002')],
  ['STARTED', '100000', 'the lender cannot be reached', applied('5001')],
  ['APPROVED', '200000', 'the lender approves', applied('1001')],
  ['APPROVED', '200100', 'the lender approves a part', applied('1101')],
  ['DENIED', '300100', 'the lender denies', applied('2001')],
  ['DENIED', '300200', 'the lender denies for the income', applied('2002')],
  ['DENIED', '300300', 'the lender denies for debts', applied('2003')],
  ['DENIED', '300400', 'the lender denies for the identity', applied('2004')],
  ['DENIED', '300900', 'the lender withdraws after the signature', signed('6002')],
  ['INELIGIBLE', '310000', 'the lender has no loan for such buyers', applied('3001')],
  ['INELIGIBLE', '310100', 'nothing is sold in the buyer’s state', async ({ url }) => submit(await open(url), { state: 'IA' })],
  ['NEEDS_ACTION', '400100', 'the credit file is frozen', applied('4001')],
  ['NEEDS_ACTION', '400200', 'the identity must be confirmed', applied('4002')],
  ['NEEDS_ACTION', '400300', 'the details must be corrected', applied('4003')],
  ['ATTEMPTED_PREPARE_CHECKOUT', '500000', 'a card for the rest is not there yet', atCard],
  ['CHECKOUT_PREPARED', '510000', 'a plan is chosen', (means) => atAgreement(means)],
  ['CHECKOUT_PREPARED', '510000', 'a card for the rest is chosen', async (means) => submit(await atCard(means))],
  ['ATTEMPTED_CHECKOUT', '600000', 'the lender’s answer to the signature is late', signed('6001')],
  ['CHECKOUT_COMPLETED', '610000', 'it is signed', signed('1001')],
  [
    'CHECKOUT_COMPLETED',
    '610000',
    'it is signed, and a part is paid by card',
    async (means) => submit(await submit(await atCard(means))),
  ],
  ['CHECKOUT_EXTENDED', '620000', 'the buyer keeps an approval that soon ends', stored],
  ['CHECKOUT_COMPLETED', '610000', 'an approval that was kept is signed', async (means) => submit(await stored(means))],
  [
    'CANCELLED',
    '700100',
    'the buyer cancels',
    async (means) => {
      const agreement = await atAgreement(means);
      return submit(await open(`${sessionUrl(agreement)}/cancel`));
    },
  ],
  [
    'CANCELLED',
    '700300',
    'the checkout is started again',
    async (means) => {
      await atAgreement(means);
      return submit(await open(`${means.url}/restart`));
    },
  ],
  [
    'CANCELLED',
    '700200',
    'the merchant ends the link',
    async (means) => {
      await detailed(means);
      return means.merchantExpires();
    },
  ],
  [
    'EXPIRED',
    '800100',
    'the decision deadline passes',
    async (means) => {
      await detailed(means);
      means.daysPass(31);
      return means.sweep();
    },
  ],
  [
    'EXPIRED',
    '800200',
    'the approval expires',
    async (means) => {
      await atAgreement(means);
      means.daysPass(8);
      return means.sweep();
    },
  ],
];

describe('An application is', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    service.clock.moveTo('2027-03-10T12:00:00.000000Z');
    merchant = await service.createMerchant();
    const program = givenProgram({ id: 'own', states: { excluded: ['IA'] } });
    await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
  });

  it.each(ways)('%s, %s, when %s', async (status, code, _how, way) => {
    const { database, clock } = service;
    const startedAt = clock.now();
    const cart = await createCart(merchant, {}, { expiration: dateOf(plusDays(startedAt, 30)) });
    const faults: unknown[] = [];
    try {
      await way({
        url: cart.url,
        merchantExpires: () => merchant.post(`/carts/${cart.id}/expire`),
        daysPass: (days) => clock.moveTo(plusDays(clock.now(), days)),
        sweep: () =>
          runCheckoutJob({
            deps: {
              database,
              lender: noLender,
              cards: sandboxGateway,
              approvals: { approvalDays: 7, extensionDays: 7 },
              mail: noMail,
              onCompleted: () => undefined,
            },
            clock,
            onError: (thrown) => faults.push(thrown),
          }),
      });
      const application = await database.query
        .selectFrom('applications')
        .select(['status', 'status_code'])
        .where('cart_id', '=', cart.id)
        .orderBy('created_at')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      expect({ ...application, faults }).toEqual({ status, status_code: code, faults: [] });
    } finally {
      clock.moveTo(startedAt);
    }
  });
});

it('The cases above cover every status and code except a denial without a specific reason', () => {
  const known = Object.entries(statusCodes).flatMap(([status, codes]) => Object.values(codes).map((code) => `${status} ${code}`));
  const shown = new Set(ways.map(([status, code]) => `${status} ${code}`));
  expect(known.filter((one) => !shown.has(one))).toEqual(['DENIED 300000']);
});
