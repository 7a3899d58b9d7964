import { expect, it } from 'vitest';
import { createTokenIssuer } from '../../server/platform/tokens/issue.ts';
import { retireSigningKey, rotateSigningKey, signingKey, listSigningKeys } from '../../server/platform/tokens/signing-keys.ts';
import { systemClock } from '../../server/base/time.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { concurrently, startServices } from './processes.ts';

const now = systemClock.now();

describeOnEveryEngine('Concurrent changes of the signing keys', (engine) => {
  it('create one key, and always leave an active one', async () => {
    const { databases } = await startServices(engine, {});
    const databaseOf = (index: number) => databases[index % databases.length]!;
    const created = await concurrently((index) => signingKey(databaseOf(index), now), 20);
    expect(new Set(created.map(({ kid }) => kid)).size).toBe(1);
    expect(await listSigningKeys(databaseOf(0).query)).toHaveLength(1);

    const { kid } = await rotateSigningKey(databaseOf(0), now);
    const kids = [created[0]!.kid, kid];
    const outcomes = await Promise.allSettled(kids.map((each, index) => retireSigningKey(databaseOf(index), each, now)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const issue = createTokenIssuer(databaseOf(0), { now: () => now }, 'https://fairterm.example');
    await expect(issue({ tenantId: 't', scope: 'x' })).resolves.toBeTypeOf('string');
  });
});
