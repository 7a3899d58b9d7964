/** The output of `npm start`, and signals that stop the service if npm runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { freePort } from '../support/network.mjs';
import { npmStart } from '../support/process.ts';
import { until } from '../support/time.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const commands: [command: string, ending: string, isTypical: boolean][] = [
  ['run fairterm -- serve', 'SIGTERM to npm', true],
  ['run fairterm -- serve', 'Ctrl-C', false],
  ['start', 'SIGTERM to npm', false],
  ['start', 'Ctrl-C', true],
];

describe('npm', () => {
  it('start shows its progress, and makes sample orders in an empty database, unless DEMO_SAMPLES is 0', async () => {
    for (const { variables, steps, areOrders } of [
      { variables: { DEMO_SAMPLES: '' }, steps: ['Starting...', 'Making sample orders...', 'Starting...'], areOrders: true },
      { variables: { DEMO_SAMPLES: '0' }, steps: ['Starting...'], areOrders: false },
    ]) {
      const { output, environment, stop } = await npmStart(variables);
      const { PORT, KEY, SECRET, MERCHANT } = environment;
      const authorization = `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString('base64')}`;
      const response = await fetch(`http://127.0.0.1:${PORT}/transactions`, { headers: { authorization } });
      expect(output.match(/^\w[\w ]*\.\.\.$/gm)).toEqual(steps);
      expect(((await response.json()) as { transactions: [] }).transactions.length > 0).toBe(areOrders);
      // The link to sign in leads to Home.
      expect(output).toMatch(new RegExp(`Console +http://\\S+/console/link/\\S+\\?to=/console/${MERCHANT}\n`));
      await stop();
    }
  }, 120_000);

  it.each(casesOf(commands, ([, , isTypical]) => isTypical))(
    '%s leaves no server on its port after %s',
    async (command, ending) => {
      const folder = mkdtempSync(join(tmpdir(), 'fairterm-npm-'));
      const port = await freePort();
      const demoPort = await freePort();
      // The npm script of this test run, not the one that is started below.
      const { npm_lifecycle_event: _event, ...inherited } = process.env;
      const environment = {
        ...inherited,
        // vitest sets MODE to another value.
        MODE: 'sandbox',
        PORT: String(port),
        DEMO_PORT: String(demoPort),
        DEMO_LENDER_PORT: String(await freePort()),
        DATABASE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
      };
      // A new process group, as a shell creates for each command.
      const npm = spawn('npm', command.split(' '), { cwd: root, env: environment, stdio: 'ignore', detached: true });
      const ended = once(npm, 'close');
      onCleanup(() => {
        try {
          process.kill(-npm.pid!, 'SIGKILL');
        } catch {
          // The processes have ended.
        }
        rmSync(folder, { recursive: true, force: true });
      });
      const ports = command === 'start' ? [port, demoPort] : [port];
      await until(async () => (await Promise.all(ports.map(responds))).every(Boolean), 60_000);

      // A terminal sends SIGINT to the process group.
      if (ending === 'Ctrl-C') process.kill(-npm.pid!, 'SIGINT');
      else npm.kill('SIGTERM');

      await ended;
      await until(async () => !(await Promise.all(ports.map(responds))).some(Boolean), 20_000);
      expect(await Promise.all(ports.map(responds))).not.toContain(true);
    },
    90_000,
  );
});

async function responds(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
