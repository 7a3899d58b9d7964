import { reservedDomainIn } from '../../../shared/fictional.ts';
import { parseUrl } from '../../../shared/url.ts';
import { messageOf } from '../errors.ts';
import type { Mode } from '../mode.ts';
import { type Env, integerIn, type IntegerRange, isConfidential, isLoopback } from './env.ts';
import { dataKeysIn } from './data-keys.ts';
import { issuerIn } from './issuer.ts';
import { lenderIn } from './lender.ts';
import { mailReportsIn } from './mail-reports.ts';
import { operatorIn } from './operator.ts';
import { retentionIn } from './retention.ts';

/** More than one process can reach. */
const MAX_COUNT = 1_000_000;

/** Ten years. */
const MAX_DAYS = 3_650;

/** Configuration of operator commands, from environment variables. */
export type CommandConfig = ReturnType<typeof readCommandConfig>;

/**
 * Reads the configuration of operator commands, which run without valid variables of other parts of the service.
 *
 * @throws Error - a variable is invalid; the message has its name and the expected value.
 */
export function readCommandConfig(env: Env) {
  const mode = modeIn(env);
  const port = Number(env['PORT'] || 4000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT: expected a port from 0 to 65535, but received "${env['PORT']}"`);
  }
  const publicUrl = env['PUBLIC_URL'] || undefined;
  if (publicUrl !== undefined && !isWebAddress(publicUrl)) {
    throw new Error(`PUBLIC_URL: expected an http or https address, but received "${publicUrl}"`);
  }
  return {
    mode,
    port,
    /** Without slashes at the end. Default: localhost with the port. */
    publicUrl: publicUrl?.replace(/(?<!\/)\/+$/, ''),
    /** Host names of callback receivers that may have private addresses. */
    callbackAllow: (env['CALLBACK_ALLOW'] ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []),
    databaseUrl: databaseUrlIn(env, mode),
    /** The keys that encrypt personal data and secrets in the database. */
    dataKeys: dataKeysIn(env),
    isDefaultDatabase: !env['DATABASE_URL'],
    /** Secret key of Stripe, for the part of a purchase that is paid by card. */
    cardStripeKey: stripeKeyIn(env, mode),
  };
}

/** Configuration of a service. */
export type Config = ReturnType<typeof readConfig>;

/** Limits of one person in 24 hours, in all carts of all merchants; 0: no limit. */
export type PersonLimits = Pick<Config, 'applicationsPerIdentity' | 'applicationsPerRecipient' | 'codesPerRecipient'>;

export type RateLimits = Config['limits'];
export type MessageLimits = Config['messageLimits'];
export type ConsoleLimits = Config['console'];

/**
 * Reads the configuration of a service.
 *
 * @throws Error - a variable is invalid; the message has its name and the expected value.
 */
export function readConfig(env: Env) {
  const shared = readCommandConfig(env);
  const { mode } = shared;
  return {
    ...shared,
    host: env['HOST'] || '127.0.0.1',
    /** All requests arrive through a proxy that sets `X-Forwarded-Proto`. */
    trustProxy: trustProxyIn(env),
    /** Days after which a transaction expires that is not authorized, or authorized but not settled. */
    pendingDays: daysIn(env, 'PENDING_DAYS', 7),
    authorizedDays: daysIn(env, 'AUTHORIZED_DAYS', 90),
    /** Days for which an approval is valid, and days by which a buyer may extend it once. */
    approvalDays: daysIn(env, 'APPROVAL_DAYS', 7),
    extensionDays: daysIn(env, 'EXTENSION_DAYS', 7, 0),
    retention: retentionIn(env, mode),
    /** `daily`: a job settles the days that have ended. `manual`: only a command does. */
    settlementRuns: settlementRunsIn(env),
    /** Maximum number of requests per minute, or else per hour; 0: no limit. */
    limits: {
      /** Carts opened from one address, and from all pages of one merchant. */
      cartsPerAddress: integerIn(env, 'STOREFRONT_CARTS_PER_ADDRESS', 30, perMinute),
      cartsPerMerchant: integerIn(env, 'STOREFRONT_CARTS_PER_MERCHANT', 600, perMinute),
      /** Other storefront requests from one address. */
      readsPerAddress: integerIn(env, 'STOREFRONT_READS_PER_ADDRESS', 600, perMinute),
      /** Pages of the checkout and of signed agreements from one address. */
      pagesPerAddress: integerIn(env, 'CHECKOUT_PAGES_PER_ADDRESS', 600, perMinute),
      /** Pages of the console of one user, and from one address without a session. */
      consolePages: integerIn(env, 'CONSOLE_PAGES_PER_USER', 600, perMinute),
      /** Requests to the APIs with invalid credentials from one address. Requests with valid credentials are not limited. */
      failedLoginsPerAddress: integerIn(env, 'FAILED_LOGINS_PER_ADDRESS', 60, perMinute),
      /** Submissions of the application form from one address per hour. */
      applicationsPerAddress: integerIn(env, 'APPLICATIONS_PER_ADDRESS_PER_HOUR', mode === 'live' ? 30 : 300, applications),
      /** Attempts per hour to open an old link to a signed agreement, from one address and for one agreement. */
      documentProofs: integerIn(env, 'DOCUMENT_PROOFS_PER_HOUR', 5, proofs),
      /** PDFs per hour of one signed agreement, each of which takes about 0.1 s to make. */
      documentPdfs: integerIn(env, 'DOCUMENT_PDFS_PER_HOUR', 30, pdfs),
    },
    messageLimits: { email: messageLimitsIn(env, 'EMAILS', mode), text: messageLimitsIn(env, 'TEXTS', mode) },
    /** Requests for decisions about one person. */
    applicationsPerIdentity: integerIn(env, 'APPLICATIONS_PER_IDENTITY_PER_DAY', mode === 'live' ? 5 : 50, applications),
    /** Requests for decisions that are sent to one e-mail address. */
    applicationsPerRecipient: integerIn(env, 'APPLICATIONS_PER_RECIPIENT_PER_DAY', mode === 'live' ? 5 : 50, applications),
    /** One-time codes to one e-mail address or phone number. */
    codesPerRecipient: integerIn(env, 'CODES_PER_RECIPIENT_PER_DAY', mode === 'live' ? 5 : 50, codes),
    /** Sessions of users of the console, and their attempts to sign in. */
    console: {
      /** Minutes without a request after which a session ends. */
      idleMinutes: integerIn(env, 'CONSOLE_IDLE_MINUTES', 30, { expected: 'a number of minutes', min: 1, max: 1_440 }),
      /** Hours after which a session ends. */
      sessionHours: integerIn(env, 'CONSOLE_SESSION_HOURS', 12, { expected: 'a number of hours', min: 1, max: 168 }),
      /** E-mailed links per hour to one address, from one network address each, and to all addresses from one network address; 0: no limit. */
      signInsPerEmail: integerIn(env, 'SIGN_INS_PER_EMAIL_PER_HOUR', mode === 'live' ? 5 : 50, links),
      signInsPerAddress: integerIn(env, 'SIGN_INS_PER_ADDRESS_PER_HOUR', mode === 'live' ? 60 : 600, links),
    },
    /** The SMTP server, and the sender of e-mails; required to run a live service. */
    email: messageServerIn(env, EMAIL, mode),
    /** The mail provider that reports e-mails which bounced. */
    mailReports: mailReportsIn(env),
    /** The service that sends text messages, and their sender. */
    text: messageServerIn(env, TEXT, mode),
    /** Makes credit decisions; required to run a live service. By default, test buyers determine them in the sandbox. */
    lender: lenderIn(env, mode),
    /** The company that runs the service; required to run a live service. */
    operator: operatorIn(env, mode),
    /** Another trusted issuer of tokens for the platform API. */
    tokenIssuer: issuerIn(env, mode, addressIn(shared)),
  };
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

/**
 * Checks what a running live service requires, but operator commands do not.
 *
 * @throws Error - it would not be reached by HTTPS, could not send notices, or has no lender.
 */
export function requireLive({ mode, publicUrl, trustProxy, email, lender }: Config): void {
  if (mode !== 'live') return;
  if (!publicUrl || new URL(publicUrl).protocol !== 'https:') {
    throw new Error(
      `PUBLIC_URL: expected an https address for a live service, but received ${publicUrl ? `"${publicUrl}"` : 'no value'}`,
    );
  }
  if (!trustProxy) throw new Error('TRUST_PROXY: expected 1 for a live service, behind a proxy that terminates TLS');
  if (!email) throw new Error('SMTP_URL: expected SMTP_URL and MAIL_FROM for a live service, which e-mails notices to buyers');
  if (!lender) throw new Error('LENDER_URL: expected LENDER_URL and LENDER_SECRET for a live service');
}

/**
 * Returns what a live service rejects in the variables of e-mails and of the retention of messages, as far as they are set. `program check
 * --live` lists it with the problems of a program.
 */
export function messageProblems(env: Env): string[] {
  const { MESSAGE_RETENTION_DAYS } = env;
  const readers = [() => messageServerIn(env, EMAIL, 'live'), () => retentionIn({ MESSAGE_RETENTION_DAYS }, 'live')];
  return readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (thrown) {
      return [messageOf(thrown)];
    }
  });
}

function modeIn(env: Env): Mode {
  const mode = env['MODE'] || 'sandbox';
  if (mode === 'sandbox' || mode === 'live') return mode;
  throw new Error(`MODE: expected "sandbox" or "live", but received "${mode}"`);
}

/**
 * Rejects a connection to PostgreSQL that another machine in the network of a live service could read or answer. Errors do not contain
 * the URL, because it contains a password.
 */
function databaseUrlIn(env: Env, mode: Mode): string {
  const url = env['DATABASE_URL'] || `sqlite:data/${mode}.db`;
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

/** Rejects a key of the other mode, which would charge real cards in tests, or no cards in purchases. Errors do not contain the key. */
function stripeKeyIn(env: Env, mode: Mode): string | undefined {
  const key = env['CARD_STRIPE_KEY'] || undefined;
  const kind = mode === 'live' ? 'live' : 'test';
  if (key === undefined || new RegExp(`^[sr]k_${kind}_[A-Za-z0-9_]+$`).test(key)) return key;
  throw new Error(
    `CARD_STRIPE_KEY: expected a secret key of Stripe for a ${mode} service, such as sk_${kind}_…, but received another value`,
  );
}

function settlementRunsIn(env: Env): 'daily' | 'manual' {
  const value = env['SETTLEMENT_RUNS'] || 'daily';
  if (value === 'daily' || value === 'manual') return value;
  throw new Error(`SETTLEMENT_RUNS: expected "daily" or "manual", but received "${value}"`);
}

/** Also rejects the files of a certificate, with which an operator would expect HTTPS at the service's own port. */
function trustProxyIn(env: Env): boolean {
  for (const name of ['TLS_CERT', 'TLS_KEY']) {
    if (env[name])
      throw new Error(`${name}: expected no value, because a proxy terminates TLS; give it the file, and set TRUST_PROXY=1`);
  }
  const value = env['TRUST_PROXY'] || '0';
  if (value !== '0' && value !== '1') throw new Error(`TRUST_PROXY: expected 1 or 0, but received "${value}"`);
  return value === '1';
}

const perMinute: IntegerRange = { expected: 'a number of requests a minute', min: 0, max: MAX_COUNT };

/** Not 0 (no limit), because a buyer proves their identity with a ZIP code, and all of them could be tried. */
const proofs: IntegerRange = { expected: 'a number of attempts', min: 1, max: 100 };

/** Not 0 (no limit), because making a PDF occupies the processor, and anyone with the link can request it. */
const pdfs: IntegerRange = { expected: 'a number of documents', min: 1, max: 100 };

/** The times of all that are counted for a person or an address are in one row, whose size this limits. */
const applications: IntegerRange = { expected: 'a number of applications', min: 0, max: 1_000 };

/** Their times are in one row, as those of applications. */
const links: IntegerRange = { expected: 'a number of links', min: 0, max: 1_000 };

/** Not 0 (no limit), because each code of six digits allows five guesses. */
const codes: IntegerRange = { expected: 'a number of codes', min: 1, max: 100 };

const perDay: IntegerRange = { expected: 'a number of messages a day', min: 0, max: MAX_COUNT };

/**
 * Reads how many messages are sent per day (UTC) to one recipient and of one merchant; 0: no limit. A sandbox sends nothing, and tests use
 * the same recipient again and again.
 */
function messageLimitsIn(env: Env, kind: 'EMAILS' | 'TEXTS', mode: Mode) {
  const [perRecipient, perMerchant] = mode === 'live' ? [10, 1_000] : [100, 10_000];
  return {
    perRecipient: integerIn(env, `${kind}_PER_RECIPIENT_PER_DAY`, perRecipient, perDay),
    perMerchant: integerIn(env, `${kind}_PER_MERCHANT_PER_DAY`, perMerchant, perDay),
  };
}

function daysIn(env: Env, name: string, fallback: number, min = 1): number {
  return integerIn(env, name, fallback, { expected: 'a number of days', min, max: MAX_DAYS });
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parseUrl(address)?.protocol ?? '');
}

/** The two variables of a server that sends messages, which must be set together: its URL, and the sender. */
interface MessageVariables {
  urlName: string;
  isUrl(url: URL): boolean;
  urlExpected: string;
  fromName: string;
  from: RegExp;
  fromExpected: string;
}

const EMAIL: MessageVariables = {
  urlName: 'SMTP_URL',
  isUrl: ({ protocol, hostname }) => /^smtps?:$/.test(protocol) && hostname !== '',
  urlExpected: 'an address such as smtps://user:password@host:465',
  fromName: 'MAIL_FROM',
  from: /^[^\s@<>]+@[^\s@<>]+$|^[^<>@\r\n]+ <[^\s@<>]+@[^\s@<>]+>$/,
  fromExpected: 'an address such as mail@pay.example or Pay <mail@pay.example>',
};

const TEXT: MessageVariables = {
  urlName: 'TEXT_URL',
  // In live mode, too, plain HTTP to this machine is allowed, for example to a gateway on it: the request does not leave the machine.
  isUrl: (url) => isConfidential(url, 'sandbox'),
  urlExpected: 'an https address such as https://account:token@host/path',
  fromName: 'TEXT_FROM',
  from: /^\+?\d{3,15}$/,
  fromExpected: 'a number such as +15550100100',
};

/**
 * Reads a server that sends messages; undefined if none is configured.
 *
 * @throws Error - a variable is missing or invalid; the message contains no URL, because a URL can contain a password.
 */
function messageServerIn(
  env: Env,
  { urlName, isUrl, urlExpected, fromName, from: pattern, fromExpected }: MessageVariables,
  mode: Mode,
) {
  const url = env[urlName] || undefined;
  const from = env[fromName] || undefined;
  if (url === undefined && from === undefined) return undefined;
  const parsed = url === undefined ? undefined : parseUrl(url);
  if (url === undefined || !parsed || !isUrl(parsed)) {
    throw new Error(`${urlName}: expected ${urlExpected}${url === undefined ? `, because ${fromName} is set` : ''}`);
  }
  if (from === undefined || !pattern.test(from)) throw new Error(`${fromName}: expected ${fromExpected}`);
  const reserved = reservedDomainIn(from);
  if (mode === 'live' && reserved !== undefined) {
    throw new Error(`${fromName}: expected a sender that exists, but received "${reserved}", which is reserved for examples`);
  }
  return { url, from };
}
