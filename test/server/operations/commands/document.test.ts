import { expect, it } from 'vitest';
import { createCart } from '../../../support/checkout.ts';
import { referenceOf } from '../../../../server/lending/applications/reference.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { fairterm, now } from './fairterm.ts';
import { testKeys } from '../../../support/data-keys.ts';

describeOnEveryEngine('fairterm document revoke', (engine) => {
  it('revokes the link to the agreement of an application, and exits with 1 for an unknown application', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const service = await startService(engine, { databaseUrl });
    const reader = openDatabase(databaseUrl, testKeys);
    onCleanup(async () => {
      await reader.close();
      await service.close();
    });
    const merchant = await service.createMerchant();
    const { id: cartId } = await createCart(merchant);
    await merchant.post('/sandbox/checkouts', { cartId });
    const { id } = await reader.query.selectFrom('applications').select('id').executeTakeFirstOrThrow();
    const run = (...args: string[]) => fairterm(['document', 'revoke', ...args], { databaseUrl });

    const revoked = await run('--application', id, '--json');
    expect(JSON.parse(revoked.stdout[0]!)).toEqual({ applicationId: id, revokedAt: now });
    expect(JSON.parse((await run('--application', referenceOf(id), '--json')).stdout[0]!)).toEqual({
      applicationId: id,
      revokedAt: now,
    });
    expect(await run('--application', id)).toMatchObject({ code: 0, stdout: [`${id}  link revoked ${now}`] });
    expect(await reader.query.selectFrom('document_revocations').selectAll().execute()).toEqual([
      { applicationId: id, revokedAt: now },
    ]);
    expect(await run('--application', 'unknown')).toMatchObject({ code: 1 });
    expect(await run()).toMatchObject({ code: 2 });
  });
});
