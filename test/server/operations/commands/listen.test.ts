import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../../shared/client/index.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { startReceiver } from '../../../support/http.ts';
import { freePort } from '../../../support/network.mjs';
import { buildProject, cli, startReachableProcess } from '../../../support/process.ts';
import { clientOf, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { completeCheckout } from '../../../support/checkout.ts';
import { fairterm } from './fairterm.ts';

/** Starts the command in a process of its own. */
function startListening(args: string[], { apiKey, secret }: { apiKey: string; secret: string }) {
  const child = spawn(process.execPath, [cli, 'listen', ...args], {
    env: { PATH: process.env['PATH'], KEY: apiKey, SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  onCleanup(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, printed: () => printed, logged: () => logged };
}

describe('fairterm listen', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    await buildProject();
    service = await startService();
    merchant = await service.createMerchant();
  });

  it('prints new events and posts them with a signature, until Ctrl-C', async () => {
    const before = await completeCheckout(merchant);
    const receiver = await startReceiver();
    const args = ['--service-url', service.publicUrl, '--forward-to', receiver.url, '--type', 'transaction.created'];
    const listening = startListening(args, merchant);
    await until(() => /whsec_\S+,/.test(listening.logged()));
    const [secrets] = /whsec_\S+(?=,)/.exec(listening.logged())!;
    const transactionId = await completeCheckout(merchant);
    await until(() => receiver.received.some(({ body }) => body.includes(transactionId)));

    const all = await Promise.all(receiver.received.map(({ body, headers }) => verifyWebhook({ body, headers, secrets })));
    // The service's time has a precision of a second, so that an event just before may be received, too.
    const [event, ...others] = all.filter(({ data }) => !('transactionId' in data && data.transactionId === before));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'transaction.created', data: { transactionId } });
    await until(() => new RegExp(`  transaction\\.created  ${event!.id}  204 in \\d+ ms\n`).test(listening.printed()));

    listening.child.kill('SIGINT');
    expect(await listening.ended).toBe(0);
  });

  it('continues after the last event when the service or the receiver was not available', async () => {
    const port = await freePort();
    const first = await startReachableProcess(service.databaseUrl, { PORT: String(port) });
    const closed = `http://127.0.0.1:${await freePort()}/`;
    const listening = startListening(['--service-url', `http://127.0.0.1:${port}`, '--forward-to', closed], merchant);
    await until(() => /Waiting for events/.test(listening.logged()));
    await completeCheckout({ ...merchant, ...clientOf(first.url, merchant) });
    await until(() => listening.printed().includes('transaction.created'));
    expect(listening.printed()).toContain('failed: ECONNREFUSED');

    await first.kill();
    await until(() => /does not respond .*trying again/.test(listening.logged()));
    const transactionId = await completeCheckout(merchant);
    const { body } = await merchant.get(`/events?transactionId=${transactionId}`);
    await startReachableProcess(service.databaseUrl, { PORT: String(port) });
    await until(() => listening.printed().includes(body.events[0].id), 150_000);
    const lines = listening.printed().trim().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    listening.child.kill('SIGTERM');
    expect(await listening.ended).toBe(0);
  });

  it.each([
    ['a wrong secret', { KEY: 'ft_sandbox_key_x', SECRET: 'y' }, 'KEY, SECRET: expected a key pair of this sandbox'],
    ['a live key', { KEY: 'ft_live_key_x', SECRET: 'y' }, 'KEY: expected the API key of a sandbox'],
    ['no key pair', {}, 'KEY, SECRET: expected the API key and the secret of a key pair'],
  ])('fails with %s', async (_what, env, message) => {
    const { code, stderr } = await fairterm(['listen', '--service-url', service.publicUrl], { env });
    expect(code).toBe(1);
    expect(stderr.join('\n')).toContain(message);
  });

  it.each([
    [['--service-url', 'http://shop.example'], '--service-url: expected an https address'],
    [['--forward-to', 'localhost'], '--forward-to: expected an http or https URL'],
    [['--type', 'order.shipped'], '--type: expected cart.expired or '],
  ])('rejects the options %o', async (args, message) => {
    const { code, stderr } = await fairterm(['listen', ...args], { env: { KEY: 'ft_sandbox_key_x', SECRET: 'y' } });
    expect(code).toBe(1);
    expect(stderr.join('\n')).toContain(message);
  });
});
