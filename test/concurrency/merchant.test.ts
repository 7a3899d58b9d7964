import { expect, it } from 'vitest';
import { callbackSecretsOf, retireOlderCallbackSecret, rotateCallbackSecret } from '../../server/merchants/callback-secrets.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { systemClock } from '../../server/base/time.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { createProgram } from '../support/programs.ts';
import { concurrently, startServices } from './processes.ts';

const now = systemClock.now();

describeOnEveryEngine('Concurrent changes of one merchant', (engine) => {
  it('leave one or two callback secrets', async () => {
    const { databases, merchants } = await startServices(engine, {});
    const { merchantId } = merchants[0]!;
    const databaseOf = (index: number) => databases[index % databases.length]!;

    const rotated = concurrently((index) => rotateCallbackSecret(databaseOf(index), merchantId, now).catch(() => undefined), 3);
    expect((await rotated).filter(Boolean)).toHaveLength(1);
    expect(await callbackSecretsOf(databaseOf(0).query, merchantId)).toHaveLength(2);

    const retire = (index: number) =>
      retireOlderCallbackSecret(databaseOf(index), merchantId, now).then(
        () => true,
        () => false,
      );
    expect((await concurrently(retire, 3)).filter(Boolean)).toHaveLength(1);
    expect(await callbackSecretsOf(databaseOf(0).query, merchantId)).toHaveLength(1);
  });

  it('import one version of a program', async () => {
    const { databases, merchants } = await startServices(engine, {});
    const program = createProgram({ id: 'campaign' });
    const importAt = (index: number) =>
      importProgram(databases[index % databases.length]!, program, [merchants[0]!.merchantId], { asDefault: false }, now);

    const outcomes = await concurrently(importAt, 8);

    expect(outcomes.flat().filter(({ outcome }) => outcome === 'added')).toHaveLength(1);
  });
});
