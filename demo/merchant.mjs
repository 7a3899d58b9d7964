import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun, runCommand } from '../server/setup/processes.mjs';
import { dataFolder } from '../server/setup/project.mjs';

/** The shop's key pair from the last start: its secret is shown only once, when it is made. */
const remembered = join(dataFolder, 'demo-merchant.json');

/**
 * The sandbox merchant that the demo shop sells as: the one from the last start while the database still knows it and the
 * shop is still at the same address, else a new one.
 *
 * @param {string} shopUrl
 * @param {Record<string, string>} environment the service's
 * @returns {Promise<{ tenantId: string, merchantId: string, apiKey: string, secret: string }>}
 */
export async function ensureMerchant(shopUrl, environment) {
  const known = readRemembered();
  if (known?.shopUrl === shopUrl && (await isKnown(known.apiKey, environment))) return known;
  const words = ['merchant', 'create', '--name', 'Alder & Tone', '--store-url', shopUrl, '--origin', shopUrl, '--json'];
  const merchant = JSON.parse(await mustRun(words, environment));
  mkdirSync(dirname(remembered), { recursive: true });
  writeFileSync(remembered, `${JSON.stringify({ ...merchant, shopUrl }, null, 2)}\n`, { mode: 0o600 });
  // The mode above holds only for a file that is new.
  chmodSync(remembered, 0o600);
  return merchant;
}

/**
 * What the merchant's callbacks are signed with.
 *
 * @param {string} merchantId
 * @param {Record<string, string>} environment the service's
 * @returns {Promise<string[]>}
 */
export async function callbackSecretsOf(merchantId, environment) {
  const words = ['callback-secret', 'list', '--merchant', merchantId, '--json'];
  const { secrets } = JSON.parse(await mustRun(words, environment));
  return secrets.map(({ secret }) => secret);
}

function readRemembered() {
  if (!existsSync(remembered)) return undefined;
  try {
    return JSON.parse(readFileSync(remembered, 'utf8'));
  } catch {
    // A start that was killed while writing it; a new merchant costs nothing.
    return undefined;
  }
}

async function isKnown(apiKey, environment) {
  const { exitCode } = await runCommand(['merchant', 'check', '--api-key', apiKey, '--json'], environment);
  return exitCode === 0;
}
