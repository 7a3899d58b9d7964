import { parseUrl } from '../../../shared/url.ts';
import type { Mode } from '../mode.ts';
import { type Env, isLoopback } from './env.ts';
import { dataKeysIn } from './data-keys.ts';
import { issuerIn } from './issuer.ts';
import { lenderIn } from './lender.ts';
import { mailReportsIn } from './mail-reports.ts';
import { operatorIn } from './operator.ts';
import { groupIn, numberIn, problemsOf, readAll, settingIn } from './read-settings.ts';
import { retentionIn } from './retention.ts';
import { REMOVED_SETTINGS, type SettingName, SETTINGS } from './settings.ts';

/** Configuration of operator commands. */
export type CommandConfig = ReturnType<typeof readCommandConfig>;

/**
 * Reads the configuration of operator commands, which run without valid settings of other parts of the service.
 *
 * @throws SettingsError - settings are invalid.
 */
export function readCommandConfig(env: Env) {
  const mode = modeIn(env);
  return readAll((read) => ({
    mode,
    port: read(() => numberIn(env, 'PORT', mode)),
    /** Without slashes at the end. Default: localhost with the port. */
    publicUrl: read(() => settingIn(env, 'PUBLIC_URL', mode))?.replace(/(?<!\/)\/+$/, ''),
    /** Host names of callback receivers that may have private addresses. */
    callbackAllow: hostsIn(read(() => settingIn(env, 'CALLBACK_ALLOW', mode))),
    databaseUrl: read(() => databaseUrlIn(env, mode)),
    /** The keys that encrypt personal data and secrets in the database. */
    dataKeys: read(() => dataKeysIn(env)),
    isDefaultDatabase: !env['DATABASE_URL'] && !env['DATABASE_URL_FILE'],
    /** False for a pooler between the service and PostgreSQL that does not support prepared statements. */
    preparesStatements: read(() => settingIn(env, 'DATABASE_PREPARE', mode)) === 'on',
    /** Secret key of Stripe, for the part of a purchase that is paid by card. */
    cardStripeKey: read(() => settingIn(env, 'CARD_STRIPE_KEY', mode)),
  }));
}

/** Configuration of a service. */
export type Config = ReturnType<typeof readConfig>;

/** Limits of one person in 24 hours, in all carts of all merchants; 0: no limit. */
export type PersonLimits = Pick<Config, 'applicationsPerIdentity' | 'applicationsPerRecipient' | 'codesPerRecipient'>;

export type RateLimits = Config['limits'];
export type MessageLimits = Config['messageLimits'];
export type ConsoleLimits = Config['console'];

/**
 * Reads the configuration of a service. It may lack what a live service requires to run: see `readServiceConfig`.
 *
 * @throws SettingsError - settings are invalid.
 */
export function readConfig(env: Env) {
  const mode = modeIn(env);
  return readAll((read) => {
    const text = (name: SettingName) => read(() => settingIn(env, name, mode));
    const number = (name: SettingName) => read(() => numberIn(env, name, mode));
    for (const name of Object.keys(REMOVED_SETTINGS)) read(() => rejectRemoved(env, name));
    const shared = read(() => readCommandConfig(env));
    const metricsPort = text('METRICS_PORT');
    return {
      ...shared,
      host: text('HOST') ?? '',
      /** Listen address of metrics; undefined if they are not served. */
      metrics: metricsPort === undefined ? undefined : { host: text('METRICS_HOST') ?? '', port: Number(metricsPort) },
      /** All requests arrive through a proxy that sets `X-Forwarded-Proto`. */
      trustProxy: text('TRUST_PROXY') === '1',
      /** Days after which a transaction expires that is not authorized, or authorized but not settled. */
      pendingDays: number('PENDING_DAYS'),
      authorizedDays: number('AUTHORIZED_DAYS'),
      /** Days for which an approval is valid, and days by which a buyer may extend it once. */
      approvalDays: number('APPROVAL_DAYS'),
      extensionDays: number('EXTENSION_DAYS'),
      retention: read(() => retentionIn(env, mode)),
      /** `daily`: a job settles the days that have ended. `manual`: only a command does. */
      settlementRuns: text('SETTLEMENT_RUNS') === 'manual' ? ('manual' as const) : ('daily' as const),
      /** Maximum number of requests per minute, or else per hour; 0: no limit. */
      limits: {
        /** Carts opened from one address, and from all pages of one merchant. */
        cartsPerAddress: number('STOREFRONT_CARTS_PER_ADDRESS'),
        cartsPerMerchant: number('STOREFRONT_CARTS_PER_MERCHANT'),
        /** Other storefront requests from one address. */
        readsPerAddress: number('STOREFRONT_READS_PER_ADDRESS'),
        /** Pages of the checkout and of signed agreements from one address. */
        pagesPerAddress: number('CHECKOUT_PAGES_PER_ADDRESS'),
        /** Pages of the console of one user, and from one address without a session. */
        consolePages: number('CONSOLE_PAGES_PER_USER'),
        /** Requests to the APIs with invalid credentials from one address. Requests with valid credentials are not limited. */
        failedLoginsPerAddress: number('FAILED_LOGINS_PER_ADDRESS'),
        /** Submissions of the application form from one address per hour. */
        applicationsPerAddress: number('APPLICATIONS_PER_ADDRESS_PER_HOUR'),
        /** Attempts per hour to open an old link to a signed agreement, from one address and for one agreement. */
        documentProofs: number('DOCUMENT_PROOFS_PER_HOUR'),
        /** PDFs per hour of one signed agreement, each of which takes about 0.1 s to make. */
        documentPdfs: number('DOCUMENT_PDFS_PER_HOUR'),
      },
      /** Messages with cart links a day (UTC); 0: no limit. */
      messageLimits: {
        email: { perRecipient: number('EMAILS_PER_RECIPIENT_PER_DAY'), perMerchant: number('EMAILS_PER_MERCHANT_PER_DAY') },
        text: { perRecipient: number('TEXTS_PER_RECIPIENT_PER_DAY'), perMerchant: number('TEXTS_PER_MERCHANT_PER_DAY') },
      },
      /** Requests for decisions about one person. */
      applicationsPerIdentity: number('APPLICATIONS_PER_IDENTITY_PER_DAY'),
      /** Requests for decisions that are sent to one e-mail address. */
      applicationsPerRecipient: number('APPLICATIONS_PER_RECIPIENT_PER_DAY'),
      /** One-time codes to one e-mail address or phone number. */
      codesPerRecipient: number('CODES_PER_RECIPIENT_PER_DAY'),
      /** Sessions of users of the console, and their attempts to sign in. */
      console: {
        /** Minutes without a request after which a session ends. */
        idleMinutes: number('CONSOLE_IDLE_MINUTES'),
        /** Hours after which a session ends. */
        sessionHours: number('CONSOLE_SESSION_HOURS'),
        /** E-mailed links per hour to one address, from one network address each, and to all addresses from one network address; 0: no limit. */
        signInsPerEmail: number('SIGN_INS_PER_EMAIL_PER_HOUR'),
        signInsPerAddress: number('SIGN_INS_PER_ADDRESS_PER_HOUR'),
      },
      /** The SMTP server, and the sender of e-mails; required to run a live service. */
      email: read(() => emailIn(env, mode)),
      /** The mail provider that reports e-mails which bounced. */
      mailReports: read(() => mailReportsIn(env, mode)),
      /** The service that sends text messages, and their sender. */
      text: read(() => textIn(env, mode)),
      /** Makes credit decisions; required to run a live service. By default, test buyers determine them in the sandbox. */
      lender: read(() => lenderIn(env, mode)),
      /** The company that runs the service; required to run a live service. */
      operator: read(() => operatorIn(env, mode)),
      /** Another trusted issuer of tokens for the platform API. */
      tokenIssuer: read(() => issuerIn(env, mode, addressIn(shared ?? { port: 0 }))),
    };
  });
}

/**
 * Returns the public URL, without a slash at the end, which is also the issuer of its tokens. Undefined if the system selects the
 * port.
 */
export function addressIn(config: Pick<CommandConfig, 'publicUrl' | 'port'>): string | undefined {
  return config.publicUrl === undefined && config.port === 0 ? undefined : addressAt(config, config.port);
}

/** Returns the public URL of a service that listens on `port`. */
export function addressAt({ publicUrl }: Pick<CommandConfig, 'publicUrl'>, port: number): string {
  return publicUrl ?? `http://localhost:${port}`;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.keys` returns texts
const requiredSettings = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].live === 'required');

/** @throws Error - the setting is invalid or missing. */
function requireForLive(env: Env, name: SettingName): void {
  if (settingIn(env, name, 'live') !== undefined) return;
  throw new Error(`${name}: expected ${SETTINGS[name].expected('live')} for a live service, but received no value`);
}

/**
 * Reads the configuration of a service that is about to run. A live one must be reached by HTTPS, and needs a lender, an operator and a mail
 * server for its notices.
 *
 * @throws SettingsError - settings are invalid or missing.
 */
export function readServiceConfig(env: Env): Config {
  return readAll((read) => {
    const config = read(() => readConfig(env));
    if (modeIn(env) === 'live') for (const name of requiredSettings) read(() => requireForLive(env, name));
    return config;
  });
}

/**
 * Returns what a live service rejects in the settings of e-mails and of the retention of messages, as far as they are set. `program check
 * --live` lists it with the problems of a program.
 */
export function messageProblems(env: Env): readonly string[] {
  try {
    readAll((read) => [read(() => emailIn(env, 'live')), read(() => numberIn(env, 'MESSAGE_RETENTION_DAYS', 'live'))]);
    return [];
  } catch (thrown) {
    return problemsOf(thrown);
  }
}

function rejectRemoved(env: Env, name: string): void {
  if (env[name]) throw new Error(`${name}: expected no value, ${REMOVED_SETTINGS[name]}`);
}

/** @throws Error - it is invalid, so that what depends on it cannot be read. */
export function modeIn(env: Env): Mode {
  return settingIn(env, 'MODE', 'sandbox') === 'live' ? 'live' : 'sandbox';
}

function hostsIn(value = ''): string[] {
  return value.split(',').flatMap((host) => host.trim().toLowerCase() || []);
}

/**
 * Rejects a connection to PostgreSQL that another machine in the network of a live service could read or answer. Errors do not contain
 * the URL, because it contains a password.
 */
function databaseUrlIn(env: Env, mode: Mode): string {
  const url = settingIn(env, 'DATABASE_URL', mode) ?? '';
  if (mode === 'sandbox' || !/^postgres(ql)?:/.test(url)) return url;
  // `postgres://user@/name` connects to a socket, but cannot be parsed as a URL: without its user, it can.
  const parsed = parseUrl(url.replace(/^(\w+:\/\/)[^/@]*@\//, '$1/'));
  // Of a repeated parameter, the driver uses the last one.
  const last = (name: string) => parsed?.searchParams.getAll(name).at(-1);
  const host = last('host') || decodeURIComponent(parsed?.hostname ?? '') || env['PGHOST'] || 'localhost';
  const sslmode = last('sslmode');
  if (sslmode === 'verify-full' || (parsed && (host.startsWith('/') || isLoopback(host)))) return url;
  throw new Error(
    `DATABASE_URL: expected sslmode=verify-full for a live service with a database on another machine, but received ${sslmode === undefined ? 'no sslmode' : `sslmode=${sslmode}`}`,
  );
}

/** Reads the mail server; undefined if none is configured. @throws SettingsError - a setting is missing or invalid. */
function emailIn(env: Env, mode: Mode) {
  const email = groupIn(env, mode, ['SMTP_URL', 'MAIL_FROM']);
  return email && { url: email.SMTP_URL, from: email.MAIL_FROM };
}

/** Reads the service that sends texts; undefined if none is configured. @throws SettingsError - a setting is missing or invalid. */
function textIn(env: Env, mode: Mode) {
  const text = groupIn(env, mode, ['TEXT_URL', 'TEXT_FROM']);
  return text && { url: text.TEXT_URL, from: text.TEXT_FROM };
}
