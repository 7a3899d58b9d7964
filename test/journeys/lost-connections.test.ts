/** Purchases while an operator cancels the statements and ends the connections of the service. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../support/audit.ts';
import { chair, completeCheckout } from '../support/checkout.ts';
import { createDatabase } from '../support/databases.ts';
import { seededRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/time.ts';

const BUYERS = 6;
/** Canceled statements and ended connections. */
const DISTURBANCES = Number(process.env['DISTURBANCES'] ?? 80);

/** Errors that would end the process. */
const uncaught: unknown[] = [];
const recordError = (thrown: unknown) => void uncaught.push(thrown);
beforeAll(() => void process.on('uncaughtException', recordError));
afterAll(() => void process.off('uncaughtException', recordError));

it('Canceled statements and lost connections are never a fault and never end the process, and the service recovers', async () => {
  const service = await startService('postgres');
  const merchant = await service.createMerchant();
  const operator = await createDatabase('postgres');
  const random = seededRandom(1);
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const operating = { isDone: false };
  const statuses = new Map<string, number>();
  const send = async (path: string, body: object) => {
    const response = await merchant.post(path, body);
    const outcome = `${response.status} ${response.body.code ?? ''}`.trim();
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    return response.status === 200 ? response.body : undefined;
  };
  const buy = async () => {
    while (!operating.isDone) {
      const cart = await send('/carts', { options: { items: [chair] } });
      const purchase = cart && (await send('/sandbox/checkouts', { cartId: cart.id }));
      if (purchase) await send(`/transactions/actions/${purchase.transactionId}`, { type: 'authorize' });
    }
  };
  const disturb = async () => {
    for (let count = 0; count < DISTURBANCES;) {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = ${name} and state <> 'idle' order by random() limit 1`.execute(
        operator.query,
      );
      if (!rows[0]) continue;
      const end = random.integer(0, 1) === 0 ? sql`pg_cancel_backend` : sql`pg_terminate_backend`;
      await sql`select ${end}(${rows[0].pid}::integer)`.execute(operator.query);
      count += 1;
    }
    operating.isDone = true;
  };
  await Promise.all([disturb(), ...Array.from({ length: BUYERS }, buy)]);

  const expected = /^(200|503 database-unavailable|500 changed-meanwhile)$/;
  expect([...statuses.keys()].filter((outcome) => !expected.test(outcome))).toEqual([]);
  expect(statuses.get('503 database-unavailable')).toBeGreaterThan(0);
  expect(uncaught).toEqual([]);
  const errors = service.logged.filter((line) => line.startsWith('{"level":50'));
  expect(errors.filter((line) => !line.includes('"at":"database"'))).toEqual([]);
  await until(async () => (await fetch(`${service.publicUrl}/readyz`)).status === 200);
  await completeCheckout(merchant);
  expect(await differencesOf(service.database.query)).toEqual([]);
});
