/**
 * `npm run fuzz -- [--count N] [--seed N] [--engine sqlite|postgres|both] [--minutes N] [--only INDEX]`: sends generated
 * requests and bytes to the service. The seed is printed; the same seed generates the same inputs. `--minutes` limits the time for each
 * engine, and `--only` repeats one input.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { projectRoot, runEntry, SetupError } from '../../server/setup/project.mjs';

await runEntry(async () => {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '2000000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      engine: { type: 'string', default: 'both' },
      minutes: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const { count, seed, engine, minutes, only } = values;
  if (!/^[1-9]\d{0,11}$/.test(count)) throw new SetupError(`--count: expected a number of inputs, but received ${count}`);
  if (!/^\d{1,10}$/.test(seed)) throw new SetupError(`--seed: expected an integer, but received ${seed}`);
  if (!['sqlite', 'postgres', 'both'].includes(engine)) {
    throw new SetupError(`--engine: expected sqlite, postgres or both, but received ${engine}`);
  }
  if (minutes && !(Number(minutes) > 0)) throw new SetupError(`--minutes: expected a number, but received ${minutes}`);
  await ensureBuilt();
  console.log(`npm run fuzz -- --count ${count} --seed ${seed} --engine ${engine}${only ? ` --only ${only}` : ''}`);
  const env = {
    FUZZ_COUNT: count,
    FUZZ_SEED: seed,
    FUZZ_ENGINE: engine,
    ...(only && { FUZZ_ONLY: only }),
    ...(minutes && { FUZZ_MINUTES: minutes }),
  };
  const args = ['node_modules/vitest/vitest.mjs', 'run', '-c', 'test/vitest.config.ts', '--disableConsoleIntercept=true'];
  const { status } = spawnSync(process.execPath, [...args, 'test/fuzz/fuzz.test.ts'], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.exitCode = status ?? 1;
});
