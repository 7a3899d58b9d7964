import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun, runCommand } from '../server/setup/processes.mjs';
import { dataFolder } from '../server/setup/project.mjs';

/** File with the shop's key pair, because the service shows the secret only once. */
const credentialsFile = join(dataFolder, 'demo-merchant.json');

/**
 * Returns the sandbox merchant of the demo shop. Creates a new one if the database does not contain the saved one, or if that has
 * another shop URL.
 *
 * @param {string} shopUrl
 * @param {Record<string, string>} environment - Environment variables of the service.
 * @returns {Promise<{ tenantId: string, merchantId: string, apiKey: string, secret: string }>}
 */
export async function ensureMerchant(shopUrl, environment) {
  const saved = readCredentials();
  if (saved?.shopUrl === shopUrl && (await merchantExists(saved.apiKey, environment))) return saved;
  const args = ['merchant', 'create', '--name', 'Alder & Tone', '--store-url', shopUrl, '--origin', shopUrl, '--json'];
  const merchant = JSON.parse(await mustRun(args, environment));
  mkdirSync(dirname(credentialsFile), { recursive: true });
  writeFileSync(credentialsFile, `${JSON.stringify({ ...merchant, shopUrl }, null, 2)}\n`, { mode: 0o600 });
  // `writeFileSync` sets the mode only of new files.
  chmodSync(credentialsFile, 0o600);
  return merchant;
}

/**
 * Returns the secrets that sign the merchant's callbacks.
 *
 * @param {string} merchantId
 * @param {Record<string, string>} environment - Environment variables of the service.
 * @returns {Promise<string[]>}
 */
export async function callbackSecretsOf(merchantId, environment) {
  const args = ['callback-secret', 'list', '--merchant', merchantId, '--json'];
  const { secrets } = JSON.parse(await mustRun(args, environment));
  return secrets.map(({ secret }) => secret);
}

function readCredentials() {
  if (!existsSync(credentialsFile)) return undefined;
  try {
    return JSON.parse(readFileSync(credentialsFile, 'utf8'));
  } catch {
    // A process was killed while it wrote the file, so a new merchant is created.
    return undefined;
  }
}

async function merchantExists(apiKey, environment) {
  const { exitCode } = await runCommand(['merchant', 'check', '--api-key', apiKey, '--json'], environment);
  return exitCode === 0;
}
