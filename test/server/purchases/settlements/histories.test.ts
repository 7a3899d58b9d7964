/**
 * Random purchases that are canceled, settled and refunded in random parts, with and without a card portion, while payouts are run. The
 * portions of loan and card are recalculated from the journal independently of the service's code.
 *
 * `npm test` checks some hundred histories. `npm run test:nightly -- histories` checks up to 100,000 within its budget, from its seed.
 */
import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import { merchantFeeCents, netCentsOf } from '../../../../shared/settlement.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import type { Database, Tx } from '../../../../server/db/database.ts';
import { listServicingEvents } from '../../../../server/messages/servicing-store.ts';
import { auditSettlements } from '../../../../server/purchases/settlements/audit.ts';
import { runSettlements } from '../../../../server/purchases/settlements/run.ts';
import { balanceOf, listByAccount, listLinesOf } from '../../../../server/purchases/settlements/store.ts';
import { type Instant, plusMs } from '../../../../server/base/time.ts';
import { decide } from '../../../../server/purchases/transactions/actions.ts';
import { auditTransactions } from '../../../../server/purchases/transactions/audit.ts';
import { cardStateOf, remainingCardCents } from '../../../../server/purchases/transactions/card.ts';
import { saveChange } from '../../../../server/purchases/transactions/save-change.ts';
import { type JournalEntry, lockTransaction, type Transaction } from '../../../../server/purchases/transactions/store.ts';
import { budgetMs, campaignTimeoutMs, firstSeed, isNightly } from '../../../support/campaign.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';
import { type SeededRandom, seededRandom } from '../../../support/random.ts';

const COUNT = isNightly ? 100_000 : 300;
/** Histories that are saved at the same time. */
const TOGETHER = 50;
const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati'];
const START: Instant = '2026-11-01T00:00:00.000000Z';
const actor = 'key:12345678';

type Buyer = Awaited<ReturnType<typeof createBuyer>>;

/** Saves a random history of a purchase. Returns the id of its transaction. */
async function saveHistory(database: Database, { merchantId, createPurchase }: Buyer, random: SeededRandom, at: Instant) {
  const totalCents = random.magnitude(100, 500_000);
  const cardCents = random.fraction() < 0.5 ? 0 : random.integer(1, totalCents);
  const id = await createPurchase({
    totalCents,
    cardCents,
    cardReference: cardCents > 0 ? 'tok_visa' : '',
    requestId: 'request',
    timeZone: ZONES[random.integer(0, 2)]!,
    merchantDiscountBps: random.fraction() < 0.3 ? random.integer(0, 9_999) : random.integer(0, 900),
    merchantDiscountCents: random.fraction() < 0.5 ? 0 : random.magnitude(1, 5_000),
    createdAt: at,
  });
  await database.write(async (tx) => {
    let now = at;
    let row = await lockTransaction(tx, merchantId, id);
    for (let step = 0; step < 8 && !['CANCELED', 'REFUNDED'].includes(row.status); step++) {
      now = plusMs(now, random.magnitude(1, 40_000_000));
      row = await change(tx, row, random, now);
    }
  });
  return id;
}

async function change(tx: Tx, row: Transaction, random: SeededRandom, now: Instant): Promise<Transaction> {
  const chance = random.fraction();
  const amount = chance < 0.1 ? undefined : random.integer(1, Math.max(1, Math.ceil(row.adjustedTotalCents * random.fraction())));
  const adjust = (type: 'cancel' | 'refund'): ActionRequest => ({ type, amount, lineItems: undefined });
  const act = (request: ActionRequest) => {
    const { after, entry } = decide(row, request, now);
    return saveChange(tx, row, after, { ...entry, actor });
  };
  if (row.status === 'SETTLED') return act(adjust('refund'));
  if (random.fraction() < 0.2) return act(adjust('cancel'));
  if (row.status === 'PENDING') {
    return act({ type: 'authorize', amount: undefined, merchantOrderId: undefined, lineItems: undefined });
  }
  const cardCents = remainingCardCents(cardStateOf(row));
  // A declined hold, after which cancels reduce the card portion first.
  if (cardCents > 0 && random.fraction() < 0.3) {
    const declined = { ...row, cardHold: { outcome: 'declined' } as const };
    return saveChange(tx, row, declined, { type: 'card-declined', amountCents: cardCents, actor, at: now });
  }
  return act({ type: 'settle', amount: undefined });
}

/** Returns what the journal settled less what it refunded of the financed portion, in two accounts that are reduced one after the other. */
function financedIn(
  journal: readonly Pick<JournalEntry, 'type' | 'amountCents' | 'cardCents'>[],
  signedCardCents: number,
): { isSettled: boolean; cents: number } {
  let loan = journal[0]!.amountCents - signedCardCents;
  let card = signedCardCents;
  let isSettled = false;
  let cents = 0;
  for (const { type, amountCents, cardCents } of journal) {
    if (type === 'canceled' || type === 'refunded') {
      const ofLoan = Math.min(loan, amountCents - cardCents);
      loan -= ofLoan;
      card -= amountCents - ofLoan;
      if (type === 'refunded') cents -= ofLoan;
    }
    if (type === 'settled') {
      isSettled = true;
      cents += loan;
    }
  }
  expect(loan >= 0 && card >= 0).toBe(true);
  return { isSettled, cents };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describeOnEveryEngine('After random histories', (engine) => {
  it(
    'the lines of settlements are what the journal settled less what it refunded of the financed portion, to the cent',
    async () => {
      const database = await createDatabase(engine);
      const { query } = database;
      const deadline = isNightly ? performance.now() + budgetMs : Infinity;
      const buyers = [await createBuyer(database, START), await createBuyer(database, START)];
      let expectedGross = 0;
      let expectedFee = 0;
      let count = 0;
      let now: Instant = START;
      const settle = async (through: CivilDate) => {
        for await (const { grossCents } of runSettlements(database, { through }, now))
          expect(Number.isSafeInteger(grossCents)).toBe(true);
      };

      while (count < COUNT && performance.now() < deadline) {
        const seeds = Array.from({ length: TOGETHER }, (_, index) => firstSeed * 1_000_000 + count + index);
        now = plusMs(now, 30_000_000);
        const saved = await Promise.all(
          seeds.map((seed) =>
            saveHistory(database, buyers[seed % 2]!, seededRandom(seed), now).catch((thrown: unknown) => {
              throw new Error(`The history with the seed ${seed} failed`, { cause: thrown });
            }),
          ),
        );
        const lines = await listLinesOf(query, saved);
        const events = await listServicingEvents(query, saved);
        const rows = await query
          .selectFrom('transactions')
          .select(['id', 'cardCents', 'merchantDiscountBps as bps', 'merchantDiscountCents as fixedCents'])
          .where('id', 'in', saved)
          .execute();
        const journals = await query
          .selectFrom('transaction_entries')
          .select(['transactionId', 'type', 'amountCents', 'cardCents'])
          .where('transactionId', 'in', saved)
          .orderBy('sequence')
          .execute();
        for (const { id, cardCents, ...discount } of rows) {
          const journal = journals.filter(({ transactionId }) => transactionId === id);
          const { isSettled, cents } = financedIn(journal, cardCents);
          const own = lines.filter(({ transactionId }) => transactionId === id);
          const feeCents = isSettled ? merchantFeeCents(cents, discount) : 0;
          const disbursed = events.filter(({ transactionId, body }) => transactionId === id && body['type'] === 'settled');
          const settled = own.filter(({ type }) => type === 'settled');
          expect({
            seed: seeds[saved.indexOf(id)],
            grossCents: sum(own.map((line) => line.grossCents)),
            feeCents: sum(own.map((line) => line.feeCents)),
            settlements: settled.length,
            disbursed: settled.map(netCentsOf),
          }).toEqual({
            seed: seeds[saved.indexOf(id)],
            grossCents: cents,
            feeCents,
            settlements: isSettled ? 1 : 0,
            disbursed: disbursed.map(({ body }) => body['disburseCents']),
          });
          expectedGross += cents;
          expectedFee += feeCents;
        }
        count += TOGETHER;
        if (count % 100 === 0) await settle(now.slice(0, 10) as CivilDate);
      }
      await settle('9999-12-31');

      const totals = { gross: 0, fee: 0, paid: 0 };
      let page = await listByAccount(query, undefined, 1_000);
      for (; page.length > 0; page = await listByAccount(query, page.at(-1), 1_000)) {
        for (const settlement of page) {
          totals.gross += settlement.grossCents;
          totals.fee += settlement.feeCents;
          totals.paid += balanceOf(settlement).payoutCents + balanceOf(settlement).balanceCents - settlement.carriedCents;
        }
      }
      expect(totals).toEqual({ gross: expectedGross, fee: expectedFee, paid: expectedGross - expectedFee });
      const unassigned = query.selectFrom('settlement_lines').select('transactionId').where('settlementId', 'is', null);
      expect(await unassigned.execute()).toEqual([]);
      for await (const differences of auditTransactions(query)) expect(differences).toEqual([]);
      for await (const differences of auditSettlements(query)) expect(differences).toEqual([]);
      if (isNightly) console.info(`${engine}: ${count} histories from the seed ${firstSeed}, ${expectedGross} cents`);
    },
    2 * campaignTimeoutMs,
  );
});
