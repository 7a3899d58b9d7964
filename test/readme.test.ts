/** Does what README.md says, with its own words: two commands, the button, the calls. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenChromium, givenVisitor } from './support/chromium.ts';
import { freePort } from './support/free-port.mjs';
import { until } from './support/until.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code!);
/** The one that says `words`. */
const blockWith = (language: string, words: string) => blocks(language).find((block) => block.includes(words))!;
const run = promisify(execFile);

describe('README.md', () => {
  let started: ChildProcess;
  let said = '';
  let environment: Record<string, string>;
  let here: (text: string) => string;
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));

  beforeAll(async () => {
    const [port, demoPort] = [await freePort(), await freePort()];
    here = (text) => text.replaceAll('localhost:4000', `localhost:${port}`).replaceAll('localhost:4001', `localhost:${demoPort}`);
    environment = {
      ...(process.env as Record<string, string>),
      // vitest runs under a MODE of its own.
      MODE: 'sandbox',
      PORT: String(port),
      DEMO_PORT: String(demoPort),
      DATABASE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
    };
    started = spawn('npm', ['start'], { cwd: root, env: environment });
    started.stdout!.on('data', (chunk) => (said += chunk));
    started.stderr!.on('data', (chunk) => (said += chunk));
    await until(() => {
      if (started.exitCode !== null) throw new Error(`npm start ended: ${said}`);
      return /Stop\s+Ctrl-C/.test(said);
    }, 60_000);
    const found = (label: string) => new RegExp(`${label}\\s+(ft_\\S+)`).exec(said)![1]!;
    Object.assign(environment, { KEY: found('API key'), SECRET: found('Secret') });
  }, 90_000);

  afterAll(async () => {
    started.kill('SIGTERM');
    await until(() => started.exitCode !== null || started.signalCode !== null);
    // npm does not wait for what it started; that is gone once it no longer answers.
    await until(
      async () =>
        !(await fetch(here('http://localhost:4000/healthz')).then(
          () => true,
          () => false,
        )),
      20_000,
    );
    rmSync(folder, { recursive: true, force: true });
  });

  const sh = async (code: string) => JSON.parse((await run('bash', ['-c', here(code)], { env: environment })).stdout);

  const givenCartId = async (): Promise<string> => (await sh(blocks('sh')[1]!)).id;

  it('starts a service and a shop that it names, with a merchant, its key pair and its callback secret', async () => {
    const merchantId = /Merchant ID\s+(\S+)/.exec(said)![1]!;
    const cli = (...args: string[]) => run(process.execPath, ['dist/server/cli.js', ...args], { cwd: root, env: environment });
    const shown = JSON.parse((await cli('merchant', 'show', '--merchant', merchantId, '--json')).stdout);
    expect(shown).toMatchObject({ merchantId, apiKeys: [environment['KEY']] });
    const listed = JSON.parse((await cli('callback-secret', 'list', '--merchant', merchantId, '--json')).stdout);
    expect(/Callback secret\s+(\S+)/.exec(said)![1]).toBe(
      listed.secrets.map(({ secret }: { secret: string }) => secret).join(','),
    );

    expect(said).toContain(here('http://localhost:4000'));
    expect(said).toContain(here('http://localhost:4001'));
    expect(await (await fetch(here('http://localhost:4001/'))).text()).toContain('Pay over time');
  });

  it('asks for a price, creates a cart, runs a test checkout, reads the purchase, authorizes, ships, settles and refunds it', async () => {
    const [quote, cart, checkout] = blocks('sh');
    expect(await sh(quote!)).toMatchObject({ asLowAs: { monthly: 5_994 } });

    const { id } = await sh(cart!);
    Object.assign(environment, { CART: id });
    const calls = checkout!.trim().split('\n');
    const { transactionId } = await sh(calls[0]!);
    Object.assign(environment, { TRANSACTION: transactionId });
    expect(await sh(calls[1]!)).toMatchObject({ status: 'PENDING', total: 129_900 });
    expect(await sh(calls[2]!)).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: 'ORDER-1' });
    expect(await sh(calls[3]!)).toMatchObject({ status: 'AUTHORIZED', carrierName: 'UPS', trackingNumber: '1Z999' });
    expect(await sh(calls[4]!)).toMatchObject({ status: 'SETTLED', adjustedTotal: 129_900 });
    expect(await sh(calls[5]!)).toMatchObject({ status: 'SETTLED', adjustedTotal: 127_400 });
  });

  it('sells from a server: creates a cart, believes a signed callback, and authorizes once', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const serve = async (code: string) => {
      const words = ['--input-type=module', '--eval', here(blocks('js')[0]!) + code];
      return (await run(process.execPath, words, { cwd: root, env: { ...environment, CALLBACK_SECRETS: `${secret},${secret}` } }))
        .stdout;
    };
    const url = await serve('console.log(await checkoutUrl());');
    expect(url.trim()).toMatch(new RegExp(`^${here('http://localhost:4000')}/c/[\\w-]+$`));

    const cart = '{"options":{"orderRef":"ORDER-2","customTotal":129900}}';
    const call = (path: string, body: string) => sh(`curl -su $KEY:$SECRET http://localhost:4000${path} -d '${body}'`);
    const { id: cartId } = await call('/carts', cart);
    const { transactionId } = await call('/sandbox/checkouts', JSON.stringify({ cartId }));
    const body = JSON.stringify({ transactionId, orderRef: 'ORDER-2' });
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    };
    const take = (received: string) => serve(`await callback(${JSON.stringify(received)}, ${JSON.stringify(headers)});`);
    const read = () => sh(`curl -su $KEY:$SECRET http://localhost:4000/transactions/${transactionId}`);

    await expect(take(body.replace('ORDER-2', 'ORDER-3'))).rejects.toThrow('CallbackError');
    expect(await read()).toMatchObject({ status: 'PENDING' });
    await take(body);
    await take(body);
    expect(await read()).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: 'ORDER-2' });
  }, 60_000);

  it('gets a token for a key pair, and lists what was bought', async () => {
    await sh(`curl -su $KEY:$SECRET http://localhost:4000/sandbox/checkouts -d '{"cartId":"'${await givenCartId()}'"}'`);
    const { applications } = await sh(blockWith('sh', 'api/application'));
    expect(applications[0]).toMatchObject({ status: 'CHECKOUT_COMPLETED', order: { totalPrice: { value: 129_900 } } });

    const words = ['--input-type=module', '--eval', here(blockWith('js', 'FairtermPlatform'))];
    const { stdout } = await run(process.execPath, words, { cwd: root, env: environment });
    expect(stdout).toContain(`${applications[0].id} CHECKOUT_COMPLETED 129900\n`);

    const mint = blockWith('sh', 'token mint').trim();
    const minted = await run('bash', ['-c', mint], { cwd: root, env: { ...environment, TENANT: applications[0].tenantID } });
    const list = `curl -s -H "authorization: Bearer ${minted.stdout.trim()}" http://localhost:4000/api/application`;
    expect((await sh(list)).applications).toEqual(expect.arrayContaining([applications[0]]));
  }, 60_000);

  it('has a button that shows a price on a page of the shop', async () => {
    const { page } = await givenVisitor(await givenChromium(), { bypassCSP: true });
    await page.goto(here('http://localhost:4001/orders'));
    const [markup] = blocks('html');
    await page.evaluate(
      (html) => document.body.append(document.createRange().createContextualFragment(html)),
      here(markup!).replace('KEY', environment['KEY']!),
    );
    const button = page.locator('financing-button');
    await expect.poll(() => button.locator('[part=estimate]').textContent()).toContain('$59.94');
    expect(await button.locator('a').getAttribute('href')).toBe(here('http://localhost:4001/checkout/financing'));
  });

  it('has a page that leads on when something was bought in a dialog', async () => {
    const { page } = await givenVisitor(await givenChromium(), { bypassCSP: true });
    await page.goto(here('http://localhost:4001/orders'));
    await page.evaluate(
      (html) => document.body.append(document.createRange().createContextualFragment(html)),
      blocks('html')[1]!,
    );
    await page.locator('financing-button[mode=modal]').evaluate((button) => {
      const detail = { transactionId: 'T', orderRef: 'ORDER-1' };
      button.dispatchEvent(new CustomEvent('financing-complete', { detail, bubbles: true, composed: true }));
    });
    await page.waitForURL(here('http://localhost:4001/thank-you?transactionId=T&orderRef=ORDER-1'));
  });

  it('creates a merchant from the command line, with nothing but JSON on standard output', async () => {
    const [, command] = /npm run (fairterm -- merchant create .*)/.exec(readme)!;
    const { stdout } = await run('bash', ['-c', `npm run -s ${command!}`], { cwd: root, env: environment });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['tenantId', 'merchantId', 'apiKey', 'secret']);
  });

  it('imports, lists, shows and quotes a financing program from the command line', async () => {
    const [, create] = /npm run (fairterm -- merchant create .*)/.exec(readme)!;
    const sayAll = async (command: string) => (await run('bash', ['-c', command], { cwd: root, env: environment })).stdout;
    const { merchantId } = JSON.parse(await sayAll(`npm run -s ${create!}`)) as { merchantId: string };
    Object.assign(environment, { MERCHANT: merchantId });

    const [imported, list, show, quote, json] = blockWith('sh', 'program import').trim().split('\n');
    await sayAll(imported!);
    expect(await sayAll(list!)).toMatch(/^.*\bholiday\b.*$/m);
    expect(await sayAll(show!)).toContain('Holiday financing');
    expect(await sayAll(quote!)).toContain('California Financing Law');
    expect(JSON.parse(await sayAll(json!))).toMatchObject({ asLowAs: { termLength: 36, apr: 0.1299 } });
    // Six commands, each npm and a process of our own one after the other.
  }, 60_000);

  it('reads an advertisement from the command line, and says what is wrong with it', async () => {
    const refused = await run('bash', ['-c', blockWith('sh', 'advertisement lint')], { cwd: root, env: environment }).catch(
      (error: { code: number; stdout: string }) => error,
    );
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('15.209%') });
  });

  it('names only commands that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
