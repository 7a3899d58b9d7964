/** Executes the commands and code blocks of the guides with the service and the shop of `npm start`. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../server/base/time.ts';
import { fairterm } from './server/operations/commands/fairterm.ts';
import { openPage, startBrowser } from './support/browser.ts';
import {
  codeBlock,
  codeBlocks,
  ensureCommand,
  expectSamplesToWork,
  firstHour,
  guides,
  installationGuide,
  readGuide,
  samplesGuide,
} from './support/docs.ts';
import { freePort } from './support/network.mjs';
import { npmStart, type StartedSandbox } from './support/process.ts';
import { until } from './support/time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** Code blocks that other tests execute, with the test. */
const EXECUTED_BY_OTHERS = {
  // Diagrams.
  'server/docs/architecture.md#rooms': '',
  'server/docs/architecture.md#purchase': '',
  'server/docs/merchant-api.md#states': '',
  ...Object.fromEntries(
    codeBlocks(firstHour).flatMap(({ language, name }) =>
      language === 'mermaid' ? [] : [[`${firstHour}#${name}`, 'test/journeys/first-hour.test.ts']],
    ),
  ),
  'shared/client/README.md#install': 'test/journeys/first-hour.test.ts',
  'server/docs/backup.md#copy': 'test/server/operations/commands/copy.test.ts',
  'server/docs/backup.md#pg-dump': 'test/nightly/postgres-dump.test.ts',
  'server/docs/backup.md#pg-restore': 'test/nightly/postgres-dump.test.ts',
  'server/docs/backup.md#nightly-dump': 'test/nightly/postgres-dump.test.ts',
  ...Object.fromEntries(
    codeBlocks(installationGuide).flatMap(({ language, name }) =>
      language === 'mermaid' ? [] : [[`${installationGuide}#${name}`, 'test/nightly/installation.test.ts']],
    ),
  ),
  'server/docs/lenders.md#lender': 'test/journeys/lender.test.ts',
  'server/docs/lenders.md#decision-request': 'test/journeys/lender.test.ts',
  'server/docs/lenders.md#event': 'test/journeys/lender.test.ts',
  'server/docs/lenders.md#check': 'test/server/lending/lenders/check/check.test.ts',
  'server/docs/lenders.md#push': 'test/server/checkout/waiting/pushed.test.ts',
  'server/docs/lenders.md#payout-file': 'test/server/purchases/settlements/run.test.ts',
  'server/docs/lenders.md#loans': 'test/server/operations/commands/audit-lender.test.ts',
  'server/docs/lenders.md#receipt': 'test/server/purchases/transactions/lender-schedule.test.ts',
  'server/docs/lenders.md#score': 'test/server/lending/lenders/remote-lender.test.ts',
  'server/docs/lenders.md#sources': 'test/server/lending/lenders/remote-lender.test.ts',
  'server/docs/merchant-api.md#messages': 'test/journeys/embedding.test.ts',
  'server/docs/settings.md#settings-file': 'test/server/operations/commands/settings.test.ts',
  'server/docs/monitoring.md#exporters': 'test/server/operations/metrics/alerts.test.ts',
  'server/docs/monitoring.md#traces': 'test/nightly/installation.test.ts',
  'server/docs/monitoring.md#traces-unit': 'test/nightly/installation.test.ts',
  'server/docs/scale.md#fail-over-database': 'test/nightly/fail-over.test.ts',
  'server/docs/scale.md#pgbouncer': 'test/nightly/pgbouncer.test.ts',
  'server/docs/scale.md#timeouts': 'test/nightly/pgbouncer.test.ts',
  'server/docs/platform-api.md#address-hashes': 'test/shared/normalized-address.test.ts',
  'server/docs/webhooks.md#listen': 'test/server/operations/commands/listen.test.ts',
  'widget/recipes/README.md#policy': 'test/recipes/html.test.ts',
  'widget/recipes/woocommerce/README.md#config': 'test/nightly/woocommerce/orders.test.ts',
  'widget/recipes/woocommerce/README.md#shipment': 'test/nightly/woocommerce/orders.test.ts',
  // Commands that run this test.
  'README.md#commands': '',
  'test/README.md#check': '',
  'test/README.md#single-file': '',
};

describe('The documentation', () => {
  let sandbox: StartedSandbox;
  let environment: Record<string, string>;
  let withPorts: (text: string) => string;
  const executed = new Set(Object.keys(EXECUTED_BY_OTHERS));

  beforeAll(async () => {
    sandbox = await npmStart();
    ({ environment, withPorts } = sandbox);
  }, 120_000);
  afterAll(() => sandbox.stop());

  const block = (guide: string, name: string) => {
    executed.add(`${guide}#${name}`);
    return withPorts(codeBlock(guide, name));
  };
  /** Runs shell code and returns its output. A command of the command line runs in this process, because a new one takes a second. */
  const shell = async (code: string) => {
    const [, args] = /^(?:npm run (?:-s )?fairterm --|fairterm) (.*)\n?$/.exec(code) ?? [];
    return args === undefined ? newShell(code) : command(args);
  };
  /** The function of the installation guide, and `install` without the user that it creates. */
  const prelude = [
    'fairterm() { npm run -s fairterm -- "$@"; }',
    'install() { for arg; do shift; [[ $arg =~ ^--(owner|group)= ]] || set -- "$@" "$arg"; done; command install "$@"; }',
  ].join('\n');
  const newShell = async (code: string) =>
    (await run('bash', ['-ec', `${prelude}\n${code}`], { cwd: root, env: environment })).stdout;
  const command = async (args: string) => {
    const expanded = (await newShell(`printf '%s\\0' ${args}`)).split('\0').slice(0, -1);
    const options = { databaseUrl: environment['DATABASE_URL']!, env: environment, clock: systemClock };
    const { code, stdout, stderr } = await fairterm(expanded, options);
    expect([args, code, code === 0 ? [] : stderr]).toEqual([args, 0, []]);
    return stdout.map((line) => `${line}\n`).join('');
  };
  /** Runs the commands of a block, one per line, and returns the output of each. */
  const shellLines = async (guide: string, name: string) => {
    const outputs = [];
    for (const line of block(guide, name).trim().split('\n')) outputs.push(await shell(line));
    return outputs;
  };
  const json = async (code: string) => JSON.parse(await shell(code));
  /** Posts to the merchant API. */
  const call = (path: string, body: unknown) =>
    json(`curl -su $KEY:$SECRET ${withPorts('http://localhost:4000')}${path} -d '${JSON.stringify(body)}'`);
  const node = (code: string) =>
    run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root, env: environment }).then(({ stdout }) => stdout);
  /** Creates the cart of a guide and stores its id in `$CART`. */
  const createCart = async (guide: string) => {
    const { id } = await json(block(guide, 'create-cart'));
    environment['CART'] = id;
  };
  const completeCheckout = async (guide: string) => {
    const { transactionId } = await json(block(guide, 'complete-checkout'));
    environment['TRANSACTION'] = transactionId;
  };

  it('starts a service and a shop with a merchant, which has its logo and color in the checkout (README.md)', async () => {
    expect(await json('npm run fairterm -- merchant show --merchant $MERCHANT --json')).toMatchObject({
      merchantId: environment['MERCHANT'],
      apiKeys: [environment['KEY']],
      logo: expect.stringMatching(/^\/brand\/logo\/\w+\.png$/),
      accent: '#8a4b22',
    });
    expect(sandbox.output).toContain(withPorts('http://localhost:4000'));
    const shop = await (await fetch(withPorts('http://localhost:4001/'))).text();
    expect(shop).toContain('Pay over time');
  });

  it('exports the key pair (README.md)', async () => {
    expect(await shell(`${block('README.md', 'key-pair')} env`)).toMatch(/^KEY=…$/m);
  });

  /** Opens a page of the shop with additional HTML. */
  const openShopPage = async (html: string) => {
    const { page } = await openPage(await startBrowser(), { bypassCSP: true });
    await page.goto(withPorts('http://localhost:4001/financing/declined'));
    await page.evaluate(
      (added) => document.body.append(document.createRange().createContextualFragment(added)),
      html.replace('"KEY"', `"${environment['KEY']!}"`),
    );
    return page;
  };

  it.each([
    ['README.md', 'button'],
    ['widget/README.md', 'page'],
  ])('shows an estimate on a page of the shop (%s)', async (guide, name) => {
    const button = (await openShopPage(block(guide, name))).locator('financing-button');
    await expect.poll(() => button.locator('[part=estimate]').textContent()).toContain('$59.94');
    expect(await button.locator('a').getAttribute('href')).toBe(withPorts('http://localhost:4001/checkout/financing'));
  });

  it('loads a release with its hash and receives events (widget/README.md)', async () => {
    const { current, versions } = await (await fetch(withPorts('http://localhost:4000/widget/manifest.json'))).json();
    const { integrity } = versions[current].files['financing-button.js'];
    const script = block('widget/README.md', 'pinned').replace('0.1.0-6f1d0c2b9a3e', current).replace('sha384-…', integrity);
    const page = await openShopPage('<financing-button api-key="KEY"></financing-button>' + script);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await page.evaluate(`{ ${block('widget/README.md', 'events')} button.amount = 129900; }`);
    await expect.poll(() => messages).toContain('$59.94');
    await page.evaluate(`document.querySelector('financing-button').amount = 'much'`);
    await expect.poll(() => messages.join()).toContain('Unusable amount: much');
  });

  it('configures editors with files that exist (widget/README.md)', () => {
    const settings: Record<string, string[]> = JSON.parse(block('widget/README.md', 'editor'));
    const files = Object.values(settings).flat();
    expect(files).toHaveLength(2);
    const missing = files.filter((file) => !existsSync(join(root, file.replace('node_modules/@fairterm/button/', 'widget/'))));
    expect(missing).toEqual([]);
  });

  it.each(['sh', 'ts', 'py'] as const)('completes a purchase in %s (code-samples.md)', async (language) => {
    if (language === 'py') ensureCommand('python3');
    await expectSamplesToWork(language, sandbox);
  });

  it('creates a cart, and authorizes, settles and partially refunds its transaction (README.md)', async () => {
    await createCart('README.md');
    await completeCheckout('README.md');
    const [retrieved, authorized, settled, refunded] = (await shellLines('README.md', 'purchase')).map((text) =>
      JSON.parse(text),
    );
    expect(retrieved).toMatchObject({ status: 'PENDING', total: 129_900 });
    expect(authorized).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: 'ORDER-1' });
    expect(settled).toMatchObject({ status: 'SETTLED', adjustedTotal: 129_900 });
    expect(refunded).toMatchObject({ status: 'SETTLED', adjustedTotal: 127_400 });
  });

  it('requests a quote, and sends and expires a cart (merchant-api.md)', async () => {
    const guide = 'server/docs/merchant-api.md';
    expect(await json(block(guide, 'quote'))).toMatchObject({ asLowAs: { monthly: 5_994 } });
    await createCart(guide);
    const [cart, email, text] = (await shellLines(guide, 'cart-calls')).map((line) => JSON.parse(line));
    expect(cart).toMatchObject({ id: environment['CART'], options: { orderRef: 'ORDER-2' } });
    expect([email, text]).toEqual([{ message: expect.any(String) }, { message: expect.any(String) }]);
    const { carts } = await json(block(guide, 'list-carts'));
    expect(carts.map(({ id }: { id: string }) => id)).toContain(environment['CART']);
    expect(await shell(block(guide, 'expire-cart'))).toBe('');
    const page = await fetch(cart.url, { redirect: 'manual' });
    expect(page.status).toBe(410);
    expect(await page.text()).toContain('href="https://shop.example/bag"');
  });

  it('changes a transaction with every call as described (merchant-api.md)', async () => {
    const guide = 'server/docs/merchant-api.md';
    await createCart(guide);
    await completeCheckout('README.md');
    const responses = (await shellLines(guide, 'transaction-calls')).map((line) => JSON.parse(line));
    const amounts = responses.map(({ status, adjustedTotal }) => [status, adjustedTotal]);
    const total = 129_900 - 5_000 + 1_500;
    expect(amounts.slice(0, 4)).toEqual([
      ['PENDING', total],
      ['PENDING', total],
      ['AUTHORIZED', total],
      ['AUTHORIZED', total],
    ]);
    const afterCancel = amounts[4]![1];
    expect(afterCancel).toBeLessThan(total);
    expect(amounts.slice(4)).toEqual([
      ['AUTHORIZED', afterCancel],
      ['SETTLED', afterCancel],
      ['SETTLED', afterCancel - 2_500],
    ]);
    expect(responses[3]).toMatchObject({ merchantOrderId: 'ORDER-2', carrierName: 'UPS', trackingNumber: '1Z999' });
    const [byReference, byStatus, { adjustments }] = (await shellLines(guide, 'find-transactions')).map((line) =>
      JSON.parse(line),
    );
    for (const { transactions } of [byReference, byStatus]) {
      expect(transactions[0]).toMatchObject({ serviceTransactionId: environment['TRANSACTION'], orderRef: 'ORDER-2' });
    }
    expect(adjustments.map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['cancel', total - afterCancel],
      ['refund', 2_500],
    ]);
  });

  it('completes a checkout and lists messages (sandbox.md)', async () => {
    const guide = 'server/docs/sandbox.md';
    await createCart('README.md');
    await completeCheckout(guide);
    expect(await json('curl -su $KEY:$SECRET ' + withPorts('http://localhost:4000/transactions/$TRANSACTION'))).toMatchObject({
      status: 'PENDING',
    });
    expect(await json(block(guide, 'messages'))).toEqual({ messages: expect.any(Array) });
  });

  it('settles a purchase, and reads its settlement as JSON, as CSV and with the client (settlements.md)', async () => {
    const guide = 'server/docs/settlements.md';
    await createCart('README.md');
    await completeCheckout('README.md');
    const act = (action: object) => call(`/transactions/actions/${environment['TRANSACTION']}`, action);
    await act({ type: 'authorize', merchantOrderId: 'ORDER-9' });
    await act({ type: 'settle' });
    const { settlements } = await json(block(guide, 'settle'));
    const settlement = settlements.at(-1);
    expect(await json(block(guide, 'list'))).toMatchObject({ settlements: expect.arrayContaining([settlement]) });
    environment['SETTLEMENT'] = settlement.id;
    const [retrieved, csv] = await shellLines(guide, 'retrieve');
    const line = { transactionId: environment['TRANSACTION'], type: 'settled', merchantOrderId: 'ORDER-9', net: 126_103 };
    expect(JSON.parse(retrieved!)).toMatchObject({
      ...settlement,
      lines: expect.arrayContaining([expect.objectContaining(line)]),
    });
    expect(csv).toContain(',ORDER-9,USD,129900,3797,126103,');
    const read = await node(block(guide, 'client'));
    expect(read).toContain(`${settlement.day} ${settlement.payout} null\n`);
    expect(read).toContain('settled ORDER-9 126103\n');
  }, 60_000);

  /** Returns whether a receiver of this machine listens, and rejects a body without a signature. */
  const rejectsForgedBody = (port: number | string) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"transactionId":"T","orderRef":"ORDER-4"}' }).then(
      ({ status }) => status === 400,
      () => false,
    );

  it('accepts a signed callback and rejects a forged one (webhooks.md)', async () => {
    const guide = 'server/docs/webhooks.md';
    const { secrets } = await json('npm run -s fairterm -- callback-secret list --merchant $MERCHANT --json');
    expect(secrets.map(({ secret }: { secret: string }) => secret).join(',')).toBe(environment['CALLBACK_SECRETS']);

    const port = await freePort();
    const receiver = spawn(process.execPath, ['--input-type=module', '--eval', block(guide, 'verify-callback')], {
      cwd: root,
      env: { ...environment, CALLBACK_PORT: String(port) },
    });
    let printed = '';
    receiver.stdout.on('data', (chunk) => (printed += chunk));
    try {
      const options = { orderRef: 'ORDER-3', customTotal: 80_000, callbackUrl: `http://127.0.0.1:${port}/` };
      await until(() => rejectsForgedBody(port));
      const { id } = await call('/carts', { options });
      const { transactionId } = await call('/sandbox/checkouts', { cartId: id });
      await expect.poll(() => printed, { timeout: 30_000 }).toBe(`ORDER-3 is transaction ${transactionId}\n`);
    } finally {
      receiver.kill();
    }
  }, 60_000);

  it('creates a webhook, receives its events and lists them (webhooks.md)', async () => {
    const guide = 'server/docs/webhooks.md';
    const port = String(await freePort());
    const sample = (name: string) => block(guide, name).replaceAll('4200', port);
    const [, secret] = /WEBHOOK_SECRETS=(\S+)/.exec(await node(sample('create-webhook')))!;
    const receiver = spawn(process.execPath, ['--input-type=module', '--eval', sample('receive-events')], {
      cwd: root,
      env: { ...environment, WEBHOOK_SECRETS: secret },
    });
    let printed = '';
    receiver.stdout.on('data', (chunk) => (printed += chunk));
    try {
      // Events wait for a test event that is accepted. Nothing tries it again soon after the last event of the order.
      await until(() => rejectsForgedBody(port));
      const { id } = await call('/carts', { options: { orderRef: 'ORDER-5', customTotal: 80_000 } });
      const { transactionId } = await call('/sandbox/checkouts', { cartId: id });
      for (const type of ['authorize', 'settle']) await call(`/transactions/actions/${transactionId}`, { type });
      await call(`/transactions/actions/${transactionId}`, { type: 'refund', amount: 5_000 });
      const expected = [`ORDER-5 is transaction ${transactionId}`, 'ORDER-5 was refunded by 5000 cents'];
      await expect.poll(() => printed.trim().split('\n').toSorted(), { timeout: 30_000 }).toEqual(expected);
    } finally {
      receiver.kill();
    }
    const listed = (await node(sample('recover-events'))).trim().split('\n');
    const ofOrder = listed.filter((line) => line.endsWith(' ORDER-5')).map((line) => line.split(' '));
    const types = [
      'application.approved',
      ...['created', 'authorized', 'settled', 'refunded'].map((one) => `transaction.${one}`),
    ];
    expect(ofOrder.map(([, type]) => type)).toEqual(types);
    environment['LAST_EVENT'] = ofOrder[3]![0]!;
    expect((await node(sample('recover-events'))).trim().split('\n')).toEqual([ofOrder[4]!.join(' ')]);
    delete environment['LAST_EVENT'];
  }, 60_000);

  it('creates a cart, rejects a forged callback and authorizes once (shared/client/README.md)', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const code = block('shared/client/README.md', 'merchant');
    const withClient = (more: string) => {
      environment['CALLBACK_SECRETS'] = `${secret},${secret}`;
      return node(code + more);
    };
    expect((await withClient('console.log(await checkoutUrl());')).trim()).toMatch(
      new RegExp(`^${withPorts('http://localhost:4000')}/c/[\\w-]+$`),
    );

    const { id: cartId } = await call('/carts', { options: { orderRef: 'ORDER-2', customTotal: 129_900 } });
    const { transactionId } = await call('/sandbox/checkouts', { cartId });
    const body = JSON.stringify({ transactionId, orderRef: 'ORDER-2' });
    const now = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
    };
    const handle = (received: string) =>
      withClient(`await handleCallback(${JSON.stringify(received)}, ${JSON.stringify(headers)});`);
    const retrieve = () => json(`curl -su $KEY:$SECRET ${withPorts('http://localhost:4000')}/transactions/${transactionId}`);

    await expect(handle(body.replace('ORDER-2', 'ORDER-3'))).rejects.toThrow('CallbackError');
    expect(await retrieve()).toMatchObject({ status: 'PENDING' });
    await handle(body);
    await handle(body);
    expect(await retrieve()).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: 'ORDER-2' });
  }, 60_000);

  it('lists applications with a token for the key pair, a token of the command line, and the client (platform-api.md)', async () => {
    const guide = 'server/docs/platform-api.md';
    await createCart('README.md');
    await completeCheckout('README.md');
    const { applications } = await json(block(guide, 'list-applications'));
    expect(applications[0]).toMatchObject({ status: 'CHECKOUT_COMPLETED', order: { totalPrice: { value: 129_900 } } });
    expect(await node(block(guide, 'list-all'))).toContain(`${applications[0].id} CHECKOUT_COMPLETED 129900\n`);

    environment['TENANT'] = applications[0].tenantID;
    const token = (await shell(block(guide, 'mint-token'))).trim();
    const list = `curl -s -H "authorization: Bearer ${token}" ${withPorts('http://localhost:4000/api/application')}?limit=200`;
    expect((await json(list)).applications).toEqual(expect.arrayContaining([applications[0]]));
    environment['TOKEN'] = token;
    expect((await json(block(guide, 'follow'))).applications).toEqual(expect.arrayContaining([applications[0]]));
  }, 60_000);

  it('imports, lists and shows a program (programs.md)', async () => {
    const [, checked, , list, show] = await shellLines('server/docs/programs.md', 'programs');
    expect(checked).toBe('holiday, version 1: valid\n');
    expect(list).toMatch(/^.*\bholiday\b.*$/m);
    expect(JSON.parse(show!)).toMatchObject({ id: 'holiday', name: 'Holiday financing' });
  }, 60_000);

  it('runs every command (operations.md)', async () => {
    const guide = 'server/docs/operations.md';
    const create = 'merchant create --name Acme --store-url https://shop.example --origin https://m.shop.example --json';
    const { tenantId, merchantId, apiKey } = JSON.parse(await newShell(`npm run -s fairterm -- ${create}`));
    const before = { ...environment };
    // Of a purchase in an earlier test.
    const { applications } = await json(block('server/docs/platform-api.md', 'list-applications'));
    Object.assign(environment, { TENANT: tenantId, MERCHANT: merchantId, KEY: apiKey, APPLICATION: applications[0].id });
    const [created] = await shellLines(guide, 'commands');
    expect(Object.keys(JSON.parse(created!))).toEqual(['tenantId', 'merchantId', 'apiKey', 'secret']);
    expect(await shell(block(guide, 'data-key'))).toMatch(/^[\w-]+:[\w+/]{43}=\n$/);
    Object.assign(environment, before);
  }, 120_000);

  it('backs up the database, restores it, lists erasures and checks for migrations (backup.md)', async () => {
    const guide = 'server/docs/backup.md';
    const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
    const BACKUPS = join(folder, 'backups');
    const DATA = join(folder, 'data');
    mkdirSync(DATA);
    Object.assign(environment, { BACKUPS, DATA });

    await newShell(block(guide, 'folders').replace('/var/lib/fairterm', DATA).replace('/var/backups/fairterm', BACKUPS));
    expect(await shell(block(guide, 'backup'))).toMatch(/^Backup: .*2026-11-21\.db, [\d,]+ bytes/);
    copyFileSync(`${BACKUPS}/2026-11-21.db`, `${DATA}/live.db`);
    await newShell(block(guide, 'restore'));
    expect([readdirSync(DATA).toSorted(), readdirSync(`${DATA}/old`)]).toEqual([['live.db', 'old'], ['live.db']]);
    expect(await newShell(block(guide, 'erasures'))).toMatch(/^occurred +kind /);
    expect(await newShell(`DATABASE_URL=sqlite:$DATA/live.db npm run -s fairterm -- audit`)).toMatch(/ journal: 0\./);
    const ofRelease = block(guide, 'check').replace(/^sudo -u fairterm \S+ (.*) --env \S+/, 'fairterm $1');
    expect(await shell(ofRelease)).toBe('No migration was pending.\n');
    const ofCron = block(guide, 'nightly')
      .replace(/^30 3 \* \* \* fairterm /, '')
      .replace('/var/backups/fairterm', BACKUPS)
      .replace(/\/usr\S+ (.*) --env \S+/, `node '${join(root, 'dist/server/cli.js')}' $1`)
      .replaceAll('\\%', '%');
    await newShell(ofCron);
    expect(readdirSync(BACKUPS)).toEqual(Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d\.db$/)));

    rmSync(folder, { recursive: true });
  }, 60_000);

  it('selects the lines of the log that need attention (operations.md)', async () => {
    const log = [30, 40, 50, 60].map((level) => JSON.stringify({ level, time: 1 }));
    const journal = `journalctl() { printf '%s\\n' '${log.join("' '")}'; }`;
    const printed = await newShell(`${journal}\n${block('server/docs/operations.md', 'log')}`);
    expect(printed.trim().split('\n')).toEqual(log.slice(1));
  });

  it('prints the status, which may need attention (monitoring.md)', async () => {
    const printed = await newShell(`${block('server/docs/monitoring.md', 'status').trim()} || [ $? = 1 ]`);
    expect(printed).toMatch(/^Programs sold +[1-9]/m);
  });

  it('finds no difference between the journal and the loans of the lender with the printed command (README.md)', async () => {
    const [, audit] = /^ *Audit +(.+)$/m.exec(sandbox.output)!;
    expect(audit).toMatch(/ --lender$/);
    expect(await newShell(audit!)).toMatch(/^Transactions: [1-9]\d*, differing from their journal: 0\./m);
  });

  it('sets the clock (sandbox.md)', async () => {
    // This is the last call, because all later calls would happen in 2030.
    expect(await json(block('server/docs/sandbox.md', 'clock'))).toMatchObject({ now: expect.stringMatching(/^2030-01-01/) });
  });

  it('names every code block, and all of them are executed', () => {
    const all = guides
      .filter((guide) => guide !== samplesGuide)
      .flatMap((guide) =>
        codeBlocks(guide).flatMap(({ language, name }) => (language === 'mermaid' ? [] : [`${guide}#${name}`])),
      );
    expect(all.filter((name) => !executed.has(name))).toEqual([]);
    expect([...executed].filter((name) => !all.includes(name))).toEqual([]);
  });

  it('sends the current version of the API in every call with the key pair, except to the platform API, which has none', () => {
    const calls = guides.flatMap((guide) =>
      codeBlocks(guide).flatMap(({ code }) =>
        code.split('\n').filter((line) => /curl .*-u \$KEY:\$SECRET(?!.*\/api\/)/.test(line)),
      ),
    );
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter((line) => !line.includes("-H 'fairterm-version: 2'"))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const broken = guides.flatMap((guide) =>
      [...readGuide(guide).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)|(?:src|srcset)="(?!https?:|\$)([^"]+)"/g)].flatMap(
        ([, file, anchor, image]) => {
          const linked = file || image;
          const target = linked ? join(root, dirname(guide), linked) : join(root, guide);
          if (!existsSync(target)) return [`${guide}: ${linked}`];
          if (!anchor) return [];
          const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
          return headings.includes(anchor) ? [] : [`${guide}: ${file}#${anchor}`];
        },
      ),
    );
    expect(broken).toEqual([]);
  });

  it('mentions only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const mentioned = guides.flatMap((guide) =>
      [...readGuide(guide).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name!),
    );
    expect(mentioned.filter((name) => !(name in scripts))).toEqual([]);
  });
});
