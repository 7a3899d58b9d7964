/**
 * `npm start`: installs and builds what is missing, and runs the service in the sandbox, the demo shop with its merchant, and the
 * reference lender, unless LENDER_URL names another one. An empty database gets a month of sample orders first.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Progress } from '../server/base/progress.js';
import { ensureBuilt } from '../server/setup/build.mjs';
import { onEndOfNpm, projectRoot, runEntry, SetupError } from '../server/setup/project.mjs';

/** Folder of the logs, the shop's key pair and the lender's book. It is the folder of the SQLite file, so that databases do not share them. */
const dataFolder = process.env.DATABASE_URL?.startsWith('sqlite:')
  ? dirname(process.env.DATABASE_URL.slice('sqlite:'.length))
  : 'data';
const serviceLog = join(dataFolder, 'service.log');
const shopLog = join(dataFolder, 'shop.log');
const lenderBook = join(dataFolder, 'demo-lender.json');

/** Imports a module of the build. Dynamic, because the build does not exist until `ensureBuilt` has run. */
const built = (path) => import(`../dist/${path}`);

const progress = new Progress();

await runEntry(async () => {
  if ((process.env.MODE || 'sandbox') !== 'sandbox') {
    throw new SetupError('npm start runs the sandbox. Unset MODE, or start a live service with "npm run fairterm -- serve".');
  }
  const ports = { shop: portIn('DEMO_PORT', 4001), lender: portIn('DEMO_LENDER_PORT', 4002) };
  await ensureBuilt();
  progress.start('Starting');
  const stopped = untilStopSignal();
  // Closed in reverse order, because the shop uses the service, and the service the lender, which is therefore the first.
  const closers = [];
  try {
    // A stop signal also ends a start that is not complete.
    await Promise.race([stopped, start(ports, closers)]);
    await stopped;
  } catch (error) {
    progress.stop();
    throw await startError(error);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
  process.exit();
});

function portIn(name, fallback) {
  const port = Number(process.env[name] || fallback);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`${name} is "${process.env[name]}", but a port is a number from 1 to 65535.`);
}

/** Starts the lender, the service and the shop, and adds functions that close them to `closers`. */
async function start(ports, closers) {
  const { default: pino } = await import('pino');
  const { readConfig } = await built('server/base/config/config.js');
  const { serve } = await built('server/main.js');
  const { callbackSecretsOf } = await built('server/merchants/callback-secrets.js');
  const { endOfLifeHint } = await built('server/base/node-release.js');
  const { createShop } = await built('demo/shop.js');
  const hint = endOfLifeHint(process.versions.node, new Date().toISOString().slice(0, 10));
  if (hint) progress.print(hint);

  mkdirSync(dataFolder, { recursive: true });
  const log = pino(pino.destination({ dest: serviceLog, append: false, sync: false }));
  const lender = process.env.LENDER_URL ? undefined : await referenceLender();
  const lenderVariables = lender && {
    LENDER_URL: `http://127.0.0.1:${ports.lender}`,
    LENDER_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
  const config = readConfig({ ...process.env, ...lenderVariables });
  const shopUrl = `http://localhost:${ports.shop}`;
  // Another lender is not sent applications that no buyer made.
  const hasSamples = process.env.DEMO_SAMPLES !== '0' && !process.env.LENDER_URL;
  let merchant;
  const beforeListening = async (unstarted) => {
    const samples = hasSamples && (await samplesFor(unstarted));
    merchant = await ensureMerchant(unstarted, shopUrl, samples?.startsAt);
    if (lender) closers.push(await startLender(lender, ports.lender, lenderVariables.LENDER_SECRET));
    // The rest works without them: for example, an order has expired with a small AUTHORIZED_DAYS.
    const failure = ({ message }) => progress.print(`Not all sample orders were made: ${message}`);
    if (samples) await samples.make(merchant, shopUrl).catch(failure);
    if (samples) progress.start('Starting');
  };
  const service = await serve(config, join(projectRoot, 'dist', 'widget'), { log, beforeListening });
  closers.push(() => service.close());

  const serviceUrl = service.publicUrl;
  const { merchantId, apiKey, secret } = merchant;
  // The link leads to Home. The page to add a passkey is for people who come back.
  const signInUrl = `${(await inviteOwner(service, config.operator, merchant)).url}?to=/console/${merchantId}`;
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchantId)).map((row) => row.secret);
  const shopLines = createWriteStream(shopLog);
  const shop = createShop({
    serviceUrl,
    apiKey,
    secret,
    shopUrl,
    callbackSecrets,
    consoleUrl: `${serviceUrl}/console/${merchantId}`,
    // Most calls happen while a buyer waits, and callbacks that time out are retried.
    totalTimeoutMs: 10_000,
    attemptTimeoutMs: 5_000,
    log: (line) => shopLines.write(`${line}\n`),
  });
  const server = shop.listen(ports.shop, config.host);
  await once(server, 'listening');
  closers.push(() => server.close().closeAllConnections());
  const links = { serviceUrl, shopUrl, loansUrl: lender && `http://localhost:${ports.lender}`, signInUrl };
  progress.stop();
  console.log(summary(links, { merchantId, apiKey, secret }, callbackSecrets, lenderVariables));
}

/** Returns the module of the reference lender; undefined without the development packages: then the sandbox's own lender decides. */
async function referenceLender() {
  return built('demo/lender/lender.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    progress.print('The reference lender is not started, because the development packages are not installed.');
  });
}

/** Starts the reference lender for this machine only, after `ensureMerchant`, which deletes a book of another database. Returns a function that closes it. */
async function startLender({ createLender, Book }, port, secret) {
  const server = createLender([secret], Date.now, new Book(lenderBook)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => server.close().closeAllConnections();
}

/**
 * Returns the function that makes a month of sample orders in an empty database, and the time at which the month starts; undefined for a
 * database with a merchant.
 */
async function samplesFor(service) {
  const { allMerchants } = await built('server/merchants/store.js');
  if ((await allMerchants(service.database.query)).length > 0) return undefined;
  const { makeSamples, SAMPLE_DAYS } = await built('server/operations/sandbox/samples.js');
  const { keyIdOf } = await built('server/merchants/keys.js');
  const { plusDays } = await built('server/base/time.js');
  const { catalog } = await built('demo/catalog.js');
  const { itemOf } = await built('demo/checkout.js');
  const startsAt = plusDays(service.clock.now(), -SAMPLE_DAYS - 1);
  const make = async (merchant, shopUrl) => {
    progress.start('Making sample orders');
    const { user } = await inviteOwner(service, service.operator, merchant, startsAt);
    const actor = `key:${keyIdOf(merchant.apiKey)}`;
    const items = catalog.map((product) => itemOf(product, shopUrl));
    await makeSamples(service, { merchantId: merchant.merchantId, actor, user, items }, progress);
  };
  return { startsAt, make };
}

/** Invites the owner of the shop to the console. Returns them, and the address of the link, which signs in once. */
async function inviteOwner({ database, publicUrl }, operator, { tenantId, merchantId }, now) {
  const { inviteUser } = await built('server/console/users/users.js');
  const { systemClock } = await built('server/base/time.js');
  const owner = { tenantId, merchantId, email: 'owner@alder-and-tone.example', name: 'Alex Alder', role: 'admin' };
  // The e-mail of the invitation is stored, not sent. The operator invites, so there is no inviting user.
  const mail = { publicUrl, operator, handling: 'recorded' };
  const byOperator = undefined;
  const { user, path } = await inviteUser(database, owner, byOperator, mail, now ?? systemClock.now());
  return { user, url: publicUrl + path };
}

/**
 * Returns the merchant of the demo shop. Creates a new one if the database does not contain the saved one, or if that has another shop URL.
 *
 * @param createdAt - Of a new one; by default now.
 * @returns {Promise<{ tenantId: string, merchantId: string, apiKey: string, secret: string }>}
 */
async function ensureMerchant({ database, clock }, shopUrl, createdAt = clock.now()) {
  const { changeMerchant, createMerchant } = await built('server/merchants/merchants.js');
  const { findMerchantByKey } = await built('server/merchants/store.js');
  const { sandboxProgram } = await built('server/lending/programs/standard-program.js');
  // The service shows the secret of the key pair only once.
  const file = join(dataFolder, 'demo-merchant.json');
  const saved = readCredentials(file);
  const isKnown = saved && (await findMerchantByKey(database.query, saved.apiKey));
  if (isKnown && saved.shopUrl === shopUrl) return saved;
  // The loans of another database.
  if (!isKnown) rmSync(lenderBook, { force: true });
  const merchant = await createMerchant(
    database,
    'sandbox',
    { name: 'Alder & Tone', storeUrl: shopUrl, origins: [], program: sandboxProgram },
    createdAt,
  );
  const brand = { logo: readFileSync(join(projectRoot, 'demo', 'assets', 'logo.png')), accent: '#8a4b22' };
  await changeMerchant(database, 'sandbox', merchant.merchantId, brand, createdAt);
  writeFileSync(file, `${JSON.stringify({ ...merchant, shopUrl }, null, 2)}\n`, { mode: 0o600 });
  // `writeFileSync` sets the mode only of new files.
  chmodSync(file, 0o600);
  return merchant;
}

function readCredentials(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A process was killed while it wrote the file, so a new merchant is created.
    return undefined;
  }
}

/** Returns the error with a message for the user. */
async function startError(error) {
  if (error instanceof SetupError) return error;
  if (error.code === 'EADDRINUSE') {
    return new SetupError(
      `Port ${error.port} is in use. Stop what uses it, or choose other ports with PORT, DEMO_PORT and DEMO_LENDER_PORT.`,
    );
  }
  const { describeError } = await built('server/operations/commands/command.js');
  return new SetupError(`npm start failed: ${describeError(error)}`);
}

/** @returns {Promise<void>} Resolves on Ctrl-C, or when the terminal, a supervisor or npm stops this process. */
function untilStopSignal() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // A second signal exits immediately.
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(1));
      });
    }
    onEndOfNpm('start', resolve);
  });
}

function summary({ serviceUrl, shopUrl, loansUrl, signInUrl }, { merchantId, apiKey, secret }, callbackSecrets, lender) {
  // Not exported, because a later start would use it as the address of another lender.
  const audit = Object.entries(lender ?? {}).map(([name, value]) => `${name}=${value} `);
  return `
  Fairterm is running in the sandbox: it makes no loans and sends no messages.

    Shop             ${shopUrl}
    Console          ${signInUrl}
                     The link signs in once. Start again for another one.
    Lender           ${loansUrl ?? 'that of the sandbox, or of LENDER_URL'}
    Service          ${serviceUrl}
    API              ${serviceUrl}/docs
    Merchant ID      ${merchantId}
    API key          ${apiKey}
    Secret           ${secret}
    Callback secret  ${callbackSecrets.join(',')}

    Two-minute demo  Open ${shopUrl}/products/turntable, add it to the bag, and select "a signed-in buyer" there.
                     Choose "Pay over time". The last 4 digits of the SSN decide:
      2001           Denied: the notice with its reasons, and the way back to the bag.
      1101           Partly approved: 60 % is financed, and a test card pays the rest.
      1001           Approved: choose a plan and sign. The shop authorizes the order when the callback arrives.
      Console        Ship, settle and refund the order there, and select "Settle now" in Money.
      Lender         ${loansUrl ? `${loansUrl} lists the same loan, with a page of its balance, schedule and events.` : 'That of the sandbox or of LENDER_URL has no pages.'}
      Popup, dialog  Select "in a popup" or "in a dialog" in the bag.
      Phone          Choose a phone of 390 pixels in the browser's developer tools.

    Key pair         export KEY=${apiKey} SECRET=${secret}
    Try              curl -u $KEY:$SECRET ${serviceUrl}/aslowas -d '{"customTotal":129900}'
    Audit            ${audit.join('')}npm run fairterm -- audit${lender ? ' --lender' : ''}
    Logs             ${serviceLog}  ${shopLog}
    Stop             Ctrl-C
`;
}
