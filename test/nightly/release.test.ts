/** The tarballs of a release, installed in an empty folder as an operator does. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { freePort } from '../support/network.mjs';
import { temporaryFolder } from '../support/packages.ts';
import { createReleaseRepository } from '../support/release.ts';
import { until } from '../support/time.ts';

/** A merchant who sells a chair, with the installed client. */
const purchase = `
import { Fairterm } from '@fairterm/client';
const { SERVICE_URL, KEY, SECRET } = process.env;
const fairterm = new Fairterm({ serviceUrl: SERVICE_URL, apiKey: KEY, secret: SECRET });
const { id } = await fairterm.carts.create({ options: { orderRef: 'ORDER-1', customTotal: 129900 } });
const { transactionId } = await fairterm.sandbox.checkout({ cartId: id });
await fairterm.transactions.authorize(transactionId, { merchantOrderId: 'ORDER-1' });
const { status, adjustedTotal } = await fairterm.transactions.settle(transactionId);
console.log(JSON.stringify({ status, adjustedTotal }));
`;

describe('A release that is installed in an empty folder', () => {
  const folder = temporaryFolder();
  // Without the variables of Vitest.
  const { PATH, HOME } = process.env;
  let env: NodeJS.ProcessEnv;
  const run = async (command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { cwd: folder, env })).stdout;

  // npm compiles the SQLite driver, which takes minutes.
  beforeAll(async () => {
    env = { PATH, HOME, PORT: String(await freePort()) };
    const { root, release } = await createReleaseRepository('0.9.0', '# Changelog\n\n## Unreleased\n\n- A change.\n');
    await release('0.9.1');
    const tarballs = ['fairterm', 'fairterm-client'].map((name) => join(root, `data/releases/0.9.1/${name}-0.9.1.tgz`));
    await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs);
  }, 1_200_000);

  it('serves purchases and the documentation with its command, and ends on SIGTERM', { timeout: 300_000 }, async () => {
    const service = spawn('npx', ['fairterm', 'serve'], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    service.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    // The pipe is closed when all processes have ended: those of npx, its shell and the service.
    let hasEnded = false;
    const ended = once(service, 'close').then(() => (hasEnded = true));
    // To all of them, as Ctrl-C in a terminal: npx forwards SIGTERM to its shell, which ends without the service.
    const signal = (name: NodeJS.Signals) => process.kill(-service.pid!, name);
    onCleanup(() => hasEnded || signal('SIGKILL'));
    const url = `http://localhost:${env['PORT']}`;
    const statusOf = async (path: string) => (await fetch(url + path).catch(() => undefined))?.status;
    await until(async () => {
      if (service.exitCode !== null) throw new Error(`The service ended: ${log}`);
      return (await statusOf('/readyz')) === 200;
    });

    for (const path of ['/docs', '/docs/operations', '/docs/images/checkout-light.png', '/widget/v1/financing-button.js'])
      expect([path, await statusOf(path)]).toEqual([path, 200]);

    const store = ['--name', 'Acme', '--store-url', 'https://shop.example'];
    const { apiKey, secret } = JSON.parse(await run('npx', 'fairterm', 'merchant', 'create', ...store, '--json'));
    writeFileSync(join(folder, 'purchase.mjs'), purchase);
    Object.assign(env, { SERVICE_URL: url, KEY: apiKey, SECRET: secret });
    expect(JSON.parse(await run(process.execPath, 'purchase.mjs'))).toEqual({ status: 'SETTLED', adjustedTotal: 129_900 });

    signal('SIGTERM');
    await ended;
    expect(await statusOf('/readyz')).toBeUndefined();
  });
});
