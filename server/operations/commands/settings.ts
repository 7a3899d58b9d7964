import { access, constants, statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { dirname, resolve } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Config } from '../../base/config/config.ts';
import { readServiceConfig } from '../../base/config/config.ts';
import { readDataKeys } from '../../base/config/data-keys.ts';
import { problemsOf, readAll } from '../../base/config/read-settings.ts';
import { REMOVED_SETTINGS, type Setting, SETTINGS } from '../../base/config/settings.ts';
import { writeSettingsFile } from '../../base/config/settings-file.ts';
import { codeOf, failureOf } from '../../base/errors.ts';
import { dateIn, epochMs } from '../../base/time.ts';
import { databaseName, openDatabase } from '../../db/open-database.ts';
import { requireMode } from '../../db/mode.ts';
import { createEmailSender } from '../../messages/email.ts';
import { type Command, command, type CommandContext, describeError, option, printResult, tableLines } from './command.ts';
import { distanceOf } from './distance.ts';

export const settingsCommands: Record<string, Command> = {
  init: {
    ...command(
      'FILE [--live]   (writes a settings file with new data keys)',
      { FILE: option.argument, live: option.flag },
      async ({ FILE: file, live }, { clock, log }) => {
        writeSettingsFile(file, live ? 'live' : 'sandbox', Number(dateIn(clock.now(), 'UTC').slice(0, 4)));
        log(`Wrote ${file}, which only you can read. Check it with \`fairterm config check --env ${file}\`.`);
      },
    ),
  },

  'config check': {
    ...command(
      '[--env FILE] [--json]   (exits with 1 if there is a problem)',
      { json: option.flag },
      async ({ json }, context) => {
        const settings = listSettings(context);
        const problems = serviceProblems(context);
        const trials = problems.length > 0 ? [] : await tryConfig(readServiceConfig(context.env), context);
        const lines = [
          ...tableLines(settings, [
            ['setting', ({ name }) => name],
            ['from', ({ source }) => source],
            ['value', ({ value }) => value],
          ]),
          '',
          ...trials.map(({ name, result, isOk }) => `${isOk ? 'ok     ' : 'problem'}  ${name}: ${result}`),
          ...problems.map((problem) => `problem  ${problem}`),
          ...(problems.length > 0 ? ['Nothing was tried, because settings have to be corrected first.'] : []),
        ];
        printResult(context, json, { settings, problems, trials }, lines);
        return problems.length > 0 || trials.some(({ isOk }) => !isOk) ? 1 : 0;
      },
    ),
    help: [
      '',
      'Prints all settings with their source, and all problems. Then connects to the database, the lender and the mail server,',
      'and checks the free space of the disk and the certificate of PUBLIC_URL. Nothing is sent or changed.',
    ],
  },
};

interface ShownSetting {
  name: string;
  source: 'environment' | 'file' | 'secret file' | 'default';
  /** Masked if it is secret. */
  value: string;
}

/** Returns all settings with their sources, without secrets. */
export function listSettings({ env, settingsFile = {} }: CommandContext): ShownSetting[] {
  const isLive = env['MODE'] === 'live';
  return Object.entries<Setting>(SETTINGS).map(([name, { isSecret, mayBeSecret, isValid, default: fallback }]) => {
    const given = env[name]?.trim();
    if (!given && isSecret && env[`${name}_FILE`]) return { name, source: 'secret file', value: env[`${name}_FILE`]! };
    const mode = isLive ? 'live' : 'sandbox';
    if (!given) return { name, source: 'default', value: fallback(mode) };
    const isShown = !isSecret && (!mayBeSecret || isValid(given, mode));
    return {
      name,
      source: settingsFile[name]?.trim() === given ? 'file' : 'environment',
      value: isShown ? given : maskOf(name, given),
    };
  });
}

function maskOf(name: string, value: string): string {
  return name === 'DATABASE_URL' ? databaseName(value) : '********';
}

/** Returns all problems of the settings of a service that is about to run. */
export function serviceProblems(context: CommandContext): readonly string[] {
  try {
    readAll((read) => {
      for (const problem of nameProblems(context)) {
        read(() => {
          throw new Error(problem);
        });
      }
      return read(() => readServiceConfig(context.env));
    });
    return [];
  } catch (thrown) {
    return problemsOf(thrown);
  }
}

/** Shorter names are similar to those of others: HOST and HOME. */
const MIN_COMPARED_LENGTH = 8;

const MAX_DISTANCE = 2;

const KNOWN_NAMES: readonly string[] = [
  ...Object.entries<Setting>(SETTINGS).flatMap(([name, { isSecret }]) => (isSecret ? [name, `${name}_FILE`] : [name])),
  ...Object.keys(REMOVED_SETTINGS),
];

/** Returns problems of names: unknown ones in the settings file, and in the environment, which has those of others, probable misspellings. */
function nameProblems({ env, settingsFile = {} }: CommandContext): string[] {
  return Object.keys(env).flatMap((name) => {
    if (KNOWN_NAMES.includes(name) || !env[name]) return [];
    const similar = KNOWN_NAMES.find((known) => known.length >= MIN_COMPARED_LENGTH && distanceOf(name, known) <= MAX_DISTANCE);
    if (similar) return [`${name}: expected the name of a setting; did you mean ${similar}?`];
    return name in settingsFile ? [`${name}: expected the name of a setting`] : [];
  });
}

/** One attempt to connect. */
const TRIAL_TIMEOUT_MS = 5_000;

const MIN_FREE_BYTES = 2 ** 30;

const MIN_CERTIFICATE_DAYS = 14;

interface Trial {
  name: string;
  isOk: boolean;
  result: string;
}

/** Connects to what the service needs, and returns what happened. Nothing is sent or changed. */
async function tryConfig(config: Config, { clock }: CommandContext): Promise<Trial[]> {
  const { databaseUrl, lender, email, publicUrl, mode } = config;
  const trials: [name: string, run: (() => Promise<string>) | undefined | false][] = [
    ['database', () => tryDatabase(config)],
    ['disk', databaseUrl.startsWith('sqlite:') && (() => tryDisk(databaseUrl.slice('sqlite:'.length)))],
    ['lender', lender && (() => tryAddress(lender.url, lender.ca))],
    ['mail server', mode === 'live' && email && (() => tryMailServer(email))],
    ['certificate', publicUrl?.startsWith('https:') && (() => tryCertificate(publicUrl, epochMs(clock.now())))],
  ];
  const results = trials.map(async ([name, run]): Promise<Trial[]> => {
    if (!run) return [];
    try {
      return [{ name, isOk: true, result: await run() }];
    } catch (thrown) {
      return [{ name, isOk: false, result: describeError(thrown) }];
    }
  });
  return (await Promise.all(results)).flat();
}

async function tryDatabase(config: Config): Promise<string> {
  const name = databaseName(config.databaseUrl);
  if (config.mode === 'live' && /^sqlite:(?!\/)/.test(config.databaseUrl)) {
    throw new Error(`expected an absolute path, because ${config.databaseUrl} is another file in another folder: here ${name}`);
  }
  if (config.databaseUrl.startsWith('sqlite:') && !existsSync(config.databaseUrl.slice('sqlite:'.length))) {
    return `${name} does not exist yet; \`fairterm migrate\` or \`fairterm serve\` creates it`;
  }
  const database = openDatabase(config.databaseUrl, () => readDataKeys(config), { mayCreate: false });
  try {
    if (!(await database.isMigrated()))
      return `${name} has pending migrations, which \`fairterm migrate\` or \`fairterm serve\` runs`;
    await requireMode(database, config.mode);
    return `${name} is up to date`;
  } finally {
    await database.close();
  }
}

async function tryDisk(file: string): Promise<string> {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GB free in ${folder}`;
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`expected at least 1 GB, but there is ${free}`);
  return free;
}

async function tryMailServer({ url, from }: { url: string; from: string }): Promise<string> {
  const sender = createEmailSender({ url, from, timeoutMs: TRIAL_TIMEOUT_MS });
  try {
    await sender.verify();
    const { host, password } = new URL(url);
    return `${host} accepts the connection${password && ' and the password'}`;
  } finally {
    await sender.close();
  }
}

/** Connects with TLS, or without for `http:` to this machine. */
async function tryAddress(address: string, ca?: string): Promise<string> {
  const socket = await connectTo(new URL(address), ca);
  socket.destroy();
  return `${new URL(address).host} accepts the connection`;
}

async function tryCertificate(address: string, nowMs: number): Promise<string> {
  const socket = await connectTo(new URL(address));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address is https
  const { valid_to: validTo } = (socket as TLSSocket).getPeerCertificate();
  socket.destroy();
  const leftDays = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  const result = `${new URL(address).host} has a certificate that is valid for ${leftDays} days`;
  if (leftDays < MIN_CERTIFICATE_DAYS) throw new Error(`expected at least ${MIN_CERTIFICATE_DAYS} days, but ${result}`);
  return result;
}

async function connectTo({ protocol, hostname, port }: URL, ca?: string) {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const at = { host, port: Number(port || (isTls ? 443 : 80)) };
  const socket = isTls ? connectTls({ ...at, ...(ca && { ca }) }) : connectPlain(at);
  socket.on('error', () => undefined);
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TRIAL_TIMEOUT_MS) });
    return socket;
  } catch (thrown) {
    socket.destroy();
    const problem = /CERT|SIGNATURE/.test(codeOf(thrown)) ? 'has no valid certificate' : 'cannot be reached';
    throw new Error(`${host}:${at.port} ${problem} (${failureOf(thrown)})`, { cause: thrown });
  }
}
