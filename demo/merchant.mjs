import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataFolder, SetupError } from '../server/setup/project.mjs';

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
  const merchant = await mustRun(args, environment);
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
  const { secrets } = await mustRun(args, environment);
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

/**
 * Runs an operator command in this process, because another one takes 0.3 s to start.
 *
 * @param {string[]} args
 * @param {Record<string, string>} environment - In addition to that of this process.
 * @returns {Promise<{ exitCode: number, stdout: string, stderr: string }>}
 */
async function runCommand(args, environment) {
  const [{ dispatch }, { readCommandConfig }, { systemClock }] = await loadCommands();
  const stdout = [];
  const stderr = [];
  const exitCode = await dispatch(args, {
    config: () => readCommandConfig({ ...process.env, ...environment }),
    clock: systemClock,
    print: (line) => stdout.push(line),
    log: (line) => stderr.push(line),
  });
  return { exitCode, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** Loads the operator commands, which exist only after the build. */
export function loadCommands() {
  const modules = ['commands/dispatch.js', 'config/config.js', 'time.js'];
  return Promise.all(modules.map((path) => import(`../dist/server/${path}`)));
}

/** Runs an operator command with `--json`. Returns its output. Throws if it fails. */
async function mustRun(args, environment) {
  const { exitCode, stdout, stderr } = await runCommand(args, environment);
  if (exitCode === 0) return JSON.parse(stdout);
  throw new SetupError(
    `${stdout}${stderr}\n"npm run fairterm -- ${args.join(' ')}" failed with exit code ${exitCode}; its output is above.`,
  );
}
