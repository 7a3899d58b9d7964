import { describe, expect, it } from 'vitest';
import { type BookedLoan, parseLoans } from '../../../../server/lending/lenders/loan-book.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import { createDatabaseUrl, describeOnEveryEngine, type Engine, openTestDatabase } from '../../../support/databases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { type Responder, respondsUnsigned, respondsWith, SECRET, startLender } from '../../../support/lenders.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { fairterm, now } from './fairterm.ts';

const request = { requestId: 'request', merchantDiscountBps: 500 };

/** Starts a lender that lists `loans`, in pages of two, and returns functions that buy and audit. */
async function startBooks(engine: Engine, respond?: Responder) {
  const databaseUrl = await createDatabaseUrl(engine);
  const database = openTestDatabase(databaseUrl);
  await database.migrate();
  const { merchantId, createPurchase } = await createBuyer(database, now);
  const loans: BookedLoan[] = [];
  const list: Responder = (response, received) => {
    const { searchParams } = new URL(received.path, 'http://lender');
    const after = searchParams.get('after') ?? '';
    const sorted = loans.toSorted((one, other) => (one.transactionId < other.transactionId ? -1 : 1));
    const page = sorted.filter(({ transactionId }) => transactionId > after).slice(0, 2);
    return respondsWith({ loans: page })(response, received);
  };
  const lender = await startLender(respond ?? list, { isPlain: true });
  const env = { LENDER_URL: lender.endpoint.url, LENDER_SECRET: SECRET };
  return {
    database,
    loans,
    lender,
    /** Creates a purchase of $50.00, and the loan of it that the lender has after its events. */
    buy: async (requests: ActionRequest[], amounts: Partial<BookedLoan> = {}) => {
      const id = await createPurchase(request);
      for (const each of requests) await transactions.act({ database, actor: 'key:12345678' }, { merchantId, id }, each, now);
      const ids = { transactionId: id, applicationId: id };
      loans.push({ ...ids, revision: null, financedCents: 5_000, disburseCents: 0, merchantFeeCents: 0, ...amounts });
      return id;
    },
    deliverEvents: () => database.write(async (tx) => void (await tx.updateTable('outbox').set({ deliveredAt: now }).execute())),
    audit: (...args: string[]) => fairterm(['audit', '--lender', ...args], { databaseUrl, env }),
    auditWithoutLender: () => fairterm(['audit', '--lender'], { databaseUrl }),
  };
}

const summary = (count: number, differing: number) =>
  `Transactions: ${count}, differing from their journal: ${differing}. Settlements: 0, differing from their lines: 0`;
const settled = { financedCents: 5_000, disburseCents: 4_750, merchantFeeCents: 250 };

describeOnEveryEngine('fairterm audit --lender', (engine) => {
  it('finds no differences from a lender that has received some of the events of each loan', async () => {
    const { audit, buy, database, lender } = await startBooks(engine);
    await buy([]);
    await buy([{ type: 'authorize' }, { type: 'settle' }], { ...settled, revision: 3 });
    await buy([{ type: 'authorize' }, { type: 'settle' }], { revision: 2 });
    await buy([{ type: 'authorize' }, { type: 'settle' }, { type: 'refund', amount: 1_000 }], {
      ...settled,
      revision: 4,
      financedCents: 4_000,
    });
    await buy([{ type: 'authorize' }, { type: 'cancel' }], { revision: 3, financedCents: 0 });

    expect(await audit()).toEqual({
      code: 0,
      stdout: [summary(5, 0)],
      stderr: [],
    });
    const { query } = database;
    const calls = await query.selectFrom('lender_calls').select(['direction', 'method', 'statusCode']).execute();
    expect(calls).toEqual(Array.from({ length: 4 }, () => ({ direction: 'sent', method: 'GET', statusCode: 200 })));
    // Each page is signed with its own path, so that the signature of another request lists nothing.
    expect(lender.requests.map(({ path, id }) => path === `/fairterm${id}`)).toEqual([true, true, true, true]);
  });

  it('names each field that differs from the journal, to the cent', async () => {
    const { audit, buy } = await startBooks(engine);
    const actions: ActionRequest[] = [{ type: 'authorize' }, { type: 'settle' }];
    const cents = await buy(actions, { revision: 3, financedCents: 5_001, disburseCents: 4_749, merchantFeeCents: 251 });
    const other = await buy(actions, { ...settled, revision: 3, applicationId: 'other' });
    const unknown = await buy(actions, { ...settled, revision: 9 });

    expect((await audit()).stdout.toSorted()).toEqual(
      [
        `${cents}  loan.financedCents: lender 5001, journal 5000`,
        `${cents}  loan.disburseCents: lender 4749, journal 4750`,
        `${cents}  loan.merchantFeeCents: lender 251, journal 250`,
        `${other}  loan.applicationId: lender "other", journal "${other}"`,
        `${unknown}  loan.revision: lender 9, journal 3`,
        summary(3, 3),
      ].toSorted(),
    );
  });

  it('reports a lender that has lost an event that was delivered', async () => {
    const { audit, buy, deliverEvents } = await startBooks(engine);
    const id = await buy([{ type: 'authorize' }, { type: 'settle' }], { revision: 2 });
    await deliverEvents();
    expect((await audit()).stdout).toEqual([`${id}  loan.revision: lender 2, journal 3`, summary(1, 1)]);
  });

  it('reports loans that only one of both has', async () => {
    const { audit, buy, loans } = await startBooks(engine);
    const missing = await buy([]);
    const known = await buy([]);
    loans.shift();
    loans.push({ ...loans[0]!, transactionId: 'f'.repeat(36) });
    const { code, stdout } = await audit('--json');
    expect([code, JSON.parse(stdout[0]!)]).toMatchObject([
      1,
      {
        transactions: 3,
        differing: 2,
        differences: [
          { transactionId: missing, what: 'loan', stored: null },
          { transactionId: 'f'.repeat(36), what: 'loan', stored: { applicationId: known }, recomputed: null },
        ],
      },
    ]);
  });
});

describe('fairterm audit --lender', () => {
  it.each<[string, Responder, RegExp]>([
    ['has no such request', respondsUnsigned(404), /the lender has no GET \/loans: it responded with 404$/],
    ['has not implemented it', respondsUnsigned(501), /the lender has no GET \/loans: it responded with 501$/],
    ['fails', respondsUnsigned(500), /GET \/loans: responded with 500$/],
    ['does not sign', respondsUnsigned(200, {}, '{"loans":[]}'), /GET \/loans: responded with 200 without webhook-id/],
    [
      'repeats a page',
      respondsWith({
        loans: ['a', 'a'].map((transactionId) => ({ ...settled, transactionId, applicationId: 'a', revision: null })),
      }),
      /invalid response: body: expected loans in the order of their ids/,
    ],
    [
      'has another format',
      respondsWith({ loans: [{ transactionId: 1 }] }),
      /invalid response: loans\.0\.transactionId: expected/,
    ],
  ])('exits with 2 if the lender %s', async (_title, respond, message) => {
    const { audit } = await startBooks('sqlite', respond);
    const { code, stdout, stderr } = await audit();
    expect([code, stdout, stderr]).toEqual([2, [], [expect.stringMatching(message)]]);
  });

  it('reads the list of the guide', () => {
    const example: unknown = JSON.parse(codeBlock('server/docs/lenders.md', 'loans'));
    expect(parseLoans(example, undefined)).toMatchObject({ content: [{ revision: 3, financedCents: 75_000 }] });
  });

  it('exits with 2 if no lender is configured', async () => {
    const { auditWithoutLender } = await startBooks('sqlite');
    expect(await auditWithoutLender()).toMatchObject({
      code: 2,
      stderr: ['fairterm audit: audit failed: LENDER_URL: expected the address of a lender'],
    });
  });
});
