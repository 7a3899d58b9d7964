/**
 * The upgrade of databases of earlier releases. Each release adds its rows of a month of every kind of purchase, before it is made:
 *
 *     SAVE_ROWS=0.1.0 npx vitest run -c test/vitest.config.ts test/server/db/releases.test.ts
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { differencesOf } from '../../support/audit.ts';
import { copyOf, createCart, open, reachAgreement, reachDecision, sessionUrl, submit } from '../../support/checkout.ts';
import { startConsoleShop } from '../../support/console-shop.ts';
import { createDatabaseUrl, describeOnEveryEngine, rowsOf } from '../../support/databases.ts';
import { elaborateProgram, promotionalProgram } from '../../support/programs.ts';
import { loadRelease, releasesFolder, type Row, type Saved, savedRelease, schemaOf, tablesOf } from '../../support/releases.ts';
import { clientOf, startService } from '../../support/service.ts';

const { SAVE_ROWS } = process.env;

/** The test buyers of the sandbox, by the last digits of their tax id. */
const buyers: [taxIdLast4: string, name: string][] = [
  ['1001', 'approved'],
  ['1004', 'approved without a credit score'],
  ['1101', 'approved in part, so that a card pays the rest'],
  ['1201', 'covered borrower'],
  ['2001', 'denied'],
  ['4001', 'frozen file'],
  ['4002', 'details to correct'],
];

it.runIf(SAVE_ROWS)('saves the rows of a month of every kind of purchase', { timeout: 300_000 }, async () => {
  const { service, merchant } = await startConsoleShop();
  const { database, clock } = service;
  for (const program of [elaborateProgram, promotionalProgram]) {
    await importProgram(database, program, [merchant.merchantId], { asDefault: false }, clock.now());
  }
  const links: string[] = [];
  for (const financingProgramId of [undefined, elaborateProgram.id, promotionalProgram.id]) {
    for (const [taxIdLast4] of buyers) {
      const { url } = await createCart(merchant, {
        orderRef: `${financingProgramId ?? 'standard'}-${taxIdLast4}`,
        ...(financingProgramId && { financingProgramId }),
      });
      const decided = await reachDecision(url, { taxIdLast4 });
      if (decided.step !== 'plans') continue;
      const agreement = await reachAgreement(decided.url, { taxIdLast4 });
      await submit(agreement);
      links.push(await copyOf(await open(sessionUrl(agreement)), database));
    }
  }
  const responses: Saved['responses'] = {};
  for (const path of ['/transactions?limit=100', '/carts?limit=100', '/settlements?limit=100', '/webhooks'])
    responses[path] = (await merchant.get(path)).text.replaceAll(service.publicUrl, '');
  const { tenantId, merchantId, apiKey, secret } = merchant;
  const saved = {
    now: clock.now(),
    merchant: { tenantId, merchantId, apiKey, secret },
    responses,
    copy: new URL(links[0]!).pathname,
    rows: await rowsOf(database),
  };
  writeFileSync(`${releasesFolder}/${SAVE_ROWS}.json.br`, brotliCompressSync(JSON.stringify(saved)));
});

describe.each(readdirSync(releasesFolder))('The database of %s', (file) => {
  const saved = savedRelease(file);

  describeOnEveryEngine('is upgraded', (engine) => {
    it('from the schema that its migrations created when it was released, because nothing runs them again', async () => {
      const databaseUrl = await createDatabaseUrl(engine);
      await loadRelease(engine, databaseUrl, saved);
      const name = file.replace('.json.br', `-${engine}.sql`);
      await expect(await schemaOf(engine, databaseUrl)).toMatchFileSnapshot(`schemas/${name}`);
    });

    it('without losing a row, and serves its merchants and buyers', async () => {
      const databaseUrl = await createDatabaseUrl(engine);
      await loadRelease(engine, databaseUrl, saved);

      let after: Saved['rows'] = {};
      const service = await startService(engine, { databaseUrl }, undefined, async ({ database, clock }) => {
        clock.moveTo(saved.now);
        after = await rowsOf(database);
      });

      const { database, publicUrl } = service;
      for (const [table, rows] of tablesOf(saved)) {
        const columns = Object.keys(rows[0] ?? {});
        const textsOf = (all: readonly Row[]) => new Set(all.map((row) => JSON.stringify(columns.map((column) => row[column]))));
        const present = textsOf(after[table]!);
        // A later release can have more columns, and stores its own files of the widget when it starts.
        expect([table, [...textsOf(rows)].filter((row) => !present.has(row))]).toEqual([table, []]);
        if (table !== 'widget_files') expect([table, after[table]!.length]).toEqual([table, rows.length]);
      }
      expect(await differencesOf(database.query)).toEqual([]);
      const merchant = clientOf(publicUrl, saved.merchant);
      for (const [path, body] of Object.entries(saved.responses))
        expect((await merchant.get(path)).text.replaceAll(publicUrl, '')).toBe(body);
      const copy = await open(publicUrl + saved.copy);
      expect(copy.status).toBe(200);
      const { transactions } = (await merchant.get('/transactions?status=PENDING')).body;
      expect(transactions.length).toBeGreaterThan(5);
      for (const { serviceTransactionId } of transactions) {
        const act = (type: string) => merchant.post(`/transactions/actions/${serviceTransactionId}`, { type });
        await act('authorize');
        await act('settle');
        expect((await act('refund')).body).toMatchObject({ status: 'REFUNDED' });
      }
      expect(await differencesOf(database.query)).toEqual([]);
      const { id: cartId } = await createCart(clientOf(publicUrl, saved.merchant) as never);
      expect((await merchant.post('/sandbox/checkouts', { cartId })).status).toBe(200);
    });
  });
});
