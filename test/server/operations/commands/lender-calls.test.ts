import { expect, it } from 'vitest';
import { WriteBuffer } from '../../../../server/db/write-buffer.ts';
import { addCalls, newCall } from '../../../../server/lending/lenders/store.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { respondsWith, startLender } from '../../../support/lenders.ts';
import { createSignedClient } from '../../../../server/lending/lenders/signed-client.ts';
import { remoteLender } from '../../../../server/lending/lenders/remote-lender.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { creditRequest } from '../../lending/lenders/credit-request.ts';
import { fairterm } from './fairterm.ts';

describeOnEveryEngine('fairterm lender-calls', (engine) => {
  it('show names the field of a response that was signed but not understood', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(databaseUrl);
    const { endpoint } = await startLender(respondsWith({ outcome: 'approved', tierId: 'A', limitCents: '60000' }));
    const calls = new WriteBuffer(addCalls);
    const client = createSignedClient(endpoint, systemClock, (attempt) => calls.add(newCall('sent', attempt)));
    onCleanup(() => client.close());
    await remoteLender(client, 'sandbox')
      .decide(creditRequest)
      .catch(() => undefined);
    await calls.save(database);
    const run = (...args: string[]) => fairterm(['lender-calls', ...args], { databaseUrl });

    const listed = await run('list', '--failed', '--json');
    const { id } = JSON.parse(listed.stdout[0]!).calls[0];
    const { stdout } = await run('show', id);

    expect(stdout).toEqual([
      'POST /decisions, sent to the lender',
      expect.stringMatching(new RegExp(`^about ${creditRequest.requestId}, attempt 1, started `)),
      'failed: responded with 200 with an invalid response: limitCents: expected an integer, but received a text',
    ]);
  });
});
