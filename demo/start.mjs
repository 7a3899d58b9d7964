/**
 * `npm start`: installs and builds what is missing, starts the service in the sandbox, creates a merchant for the demo shop,
 * and starts the shop.
 */
import { join, relative } from 'node:path';
import { requireNode } from '../server/setup/dependencies.mjs';
import { localUrl, portFrom, requireFreePort, waitUntilReady } from '../server/setup/ports.mjs';
import { ensureRunnable } from '../server/setup/prepare.mjs';
import { onEndOfNpm, startChild } from '../server/setup/processes.mjs';
import { dataFolder, projectRoot, runEntry, logProgress, SetupError } from '../server/setup/project.mjs';
import { callbackSecretsOf, ensureMerchant, loadCommands } from './merchant.mjs';

await runEntry(async () => {
  requireNode(process.versions.node);
  const host = process.env.HOST || '127.0.0.1';
  const port = portFrom('PORT', 4000);
  const shopPort = portFrom('DEMO_PORT', 4001);
  if ((process.env.MODE || 'sandbox') !== 'sandbox') {
    throw new SetupError('npm start runs the sandbox. Unset MODE, or start a live service with "npm run fairterm -- serve".');
  }
  if (port === shopPort) {
    throw new SetupError(
      `PORT and DEMO_PORT are both ${port}. Choose another port for the shop, for example DEMO_PORT=${port + 1}.`,
    );
  }
  // Checked before the installation, which can take minutes.
  await requireFreePort('PORT', host, port);
  await requireFreePort('DEMO_PORT', host, shopPort);
  await ensureRunnable();
  const { endOfLifeHint } = await import('../dist/server/node-release.js');
  const hint = endOfLifeHint(process.versions.node, new Date().toISOString().slice(0, 10));
  if (hint) logProgress(hint);
  await serveUntilStopped(host, port, shopPort);
});

async function serveUntilStopped(host, port, shopPort) {
  const serviceUrl = process.env.PUBLIC_URL || `http://localhost:${port}`;
  const shopUrl = `http://localhost:${shopPort}`;
  const serviceEnvironment = { MODE: 'sandbox', HOST: host, PORT: String(port), PUBLIC_URL: serviceUrl };
  const starting = new AbortController();
  const children = [];
  const start = (name, args, environment) => {
    const child = startChild(name, args, environment);
    children.push(child);
    return child.ended;
  };

  const startAll = async () => {
    const serviceEnded = start('service', ['dist/server/cli.js', 'serve'], serviceEnvironment);
    const startShop = async () => {
      // The service migrates the database, and the commands below do not.
      await Promise.all([waitUntilReady(`${localUrl(host, port)}/readyz`, starting.signal), loadCommands()]);
      if (starting.signal.aborted) return;
      const merchant = await ensureMerchant(shopUrl, serviceEnvironment);
      const secrets = await callbackSecretsOf(merchant.merchantId, serviceEnvironment);
      if (starting.signal.aborted) return;
      const shopEnvironment = {
        SERVICE_URL: serviceUrl,
        API_KEY: merchant.apiKey,
        API_SECRET: merchant.secret,
        CALLBACK_SECRETS: secrets.join(','),
      };
      const shopEnded = start('shop', ['dist/demo/main.js'], { ...shopEnvironment, HOST: host, PORT: String(shopPort) });
      await Promise.race([waitUntilReady(`${localUrl(host, shopPort)}/`, starting.signal), shopEnded]);
      if (!starting.signal.aborted) console.log(summary(serviceUrl, shopUrl, merchant, secrets));
      await shopEnded;
    };
    await Promise.race([serviceEnded, startShop()]);
  };

  try {
    await Promise.race([startAll(), untilStopSignal()]);
  } finally {
    starting.abort();
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** @returns {Promise<void>} Resolves on Ctrl-C, or when the terminal, a supervisor or npm stops this process. */
function untilStopSignal() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // A second signal exits immediately; the child processes end with this process.
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(1));
      });
    }
    onEndOfNpm('start', resolve);
  });
}

function summary(serviceUrl, shopUrl, { merchantId, apiKey, secret }, callbackSecrets) {
  return `
  Fairterm is running in the sandbox: it makes no loans and sends no messages.

    Shop             ${shopUrl}
    Orders           ${shopUrl}/orders
    Service          ${serviceUrl}
    API              ${serviceUrl}/docs
    Merchant ID      ${merchantId}
    API key          ${apiKey}
    Secret           ${secret}
    Callback secret  ${callbackSecrets.join(',')}

    Buy              Put a product in the bag, choose "Pay over time", and enter made-up details. The last 4 digits of the
                     SSN decide the outcome: 1001 is approved, 2001 is denied, and the page lists the others.
    Key pair         export KEY=${apiKey} SECRET=${secret}
    Try              curl -u $KEY:$SECRET ${serviceUrl}/aslowas -d '{"customTotal":129900}'
    Logs             ${relative(projectRoot, join(dataFolder, 'service.log'))}  ${relative(projectRoot, join(dataFolder, 'shop.log'))}
    Stop             Ctrl-C
`;
}
