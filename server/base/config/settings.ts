import { parseUrl } from '../../../shared/url.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import { isId } from '../ids.ts';
import type { Mode } from '../mode.ts';
import { confidentialUrlDescription, isConfidential } from './env.ts';

/** A setting of the service: an environment variable, or a line of a settings file. */
export interface Setting {
  /** Markdown, for the guide and the settings file. */
  readonly purpose: string;
  /** For errors and the guide: `a number of days from 1 to 3650`. */
  expected(this: void, mode: Mode): string;
  /** Checks a value alone. Functions that read several settings check what they require of each other. */
  isValid(this: void, value: string, mode: Mode): boolean;
  /** Empty if the setting has none. */
  default(this: void, mode: Mode): string;
  /** A live service needs a value of its own, or should have one. */
  readonly live?: 'required' | 'recommended';
  /** Not shown. Can also be in a file, whose path is in the setting with `_FILE` after the name. */
  readonly isSecret?: true;
  /** Can contain a secret if it is invalid, so that errors do not repeat it. */
  readonly mayBeSecret?: true;
  /** In live mode, not a domain or phone number that is reserved for examples. */
  readonly isReal?: true;
}

type ByMode<Value> = Value | Readonly<Record<Mode, Value>>;

type Options = Pick<Setting, 'live' | 'isSecret' | 'mayBeSecret' | 'isReal'> & { default?: ByMode<string> };

const valueIn = <Value extends string | number>(value: ByMode<Value>, mode: Mode): Value =>
  typeof value === 'object' ? value[mode] : value;

function setting(
  expected: string | Setting['expected'],
  isValid: RegExp | Setting['isValid'],
  purpose: string,
  { default: fallback = '', ...options }: Options = {},
): Setting {
  return {
    purpose,
    expected: typeof expected === 'string' ? () => expected : expected,
    isValid: isValid instanceof RegExp ? (value) => isValid.test(value) : isValid,
    default: (mode) => valueIn(fallback, mode),
    ...options,
  };
}

function choice(values: readonly [string, ...string[]], purpose: string, options: Options = {}): Setting {
  const expected = values.map((value) => (/^\d$/.test(value) ? value : `"${value}"`)).join(' or ');
  return setting(expected, (value) => values.includes(value), purpose, { default: values[0], ...options });
}

interface Range {
  /** The numbers: `a number of days`. */
  of: string;
  min: ByMode<number>;
  max: number;
}

function integer(fallback: ByMode<number>, { of, min, max }: Range, purpose: string): Setting {
  const isInteger = (value: string, mode: Mode) =>
    /^\d+$/.test(value) && Number(value) >= valueIn(min, mode) && Number(value) <= max;
  const byMode =
    typeof fallback === 'object' ? { live: String(fallback.live), sandbox: String(fallback.sandbox) } : String(fallback);
  return setting((mode) => `${of} from ${valueIn(min, mode)} to ${max}`, isInteger, purpose, { default: byMode });
}

/** Ten years. */
const MAX_DAYS = 3_650;

const days: Range = { of: 'a number of days', min: 1, max: MAX_DAYS };

/** Regulation B, 12 CFR 1002.12(b)(1): 25 months after the notice of the action taken, or of incompleteness. */
export const MIN_APPLICATION_DAYS = 790;

/** Regulation Z, 12 CFR 1026.25(a): two years. */
export const MIN_PURCHASE_DAYS = 730;

/** Until then, an operator can show whether and when a message about a purchase was sent. */
const MIN_MESSAGE_DAYS = 90;

const retainedDays = (live: number): Range => ({ ...days, min: { live, sandbox: 1 } });

const port: Range = { of: 'a port', min: 0, max: 65_535 };

/** More than one process can reach. */
const MAX_COUNT = 1_000_000;

const perMinute: Range = { of: 'a number of requests a minute', min: 0, max: MAX_COUNT };
const perDay: Range = { of: 'a number of messages a day', min: 0, max: MAX_COUNT };

/** The times of all that are counted for a person or an address are in one row, whose size this limits. */
const applications: Range = { of: 'a number of applications', min: 0, max: 1_000 };

/** Their times are in one row, as those of applications. */
const links: Range = { of: 'a number of links', min: 0, max: 1_000 };

/** Not 0 (no limit), because a buyer proves their identity with a ZIP code, and all of them could be tried. */
const proofs: Range = { of: 'a number of attempts', min: 1, max: 100 };

/** Not 0 (no limit), because making a PDF occupies the processor, and anyone with the link can request it. */
const pdfs: Range = { of: 'a number of documents', min: 1, max: 100 };

/** Not 0 (no limit), because each code of six digits allows five guesses. */
const codes: Range = { of: 'a number of codes', min: 1, max: 100 };

/** Not 1, because one hour would delete the details of buyers who are still reading. */
const hours: Range = { of: 'a number of hours', min: 2, max: 8_760 };

const EMAIL_ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/;

/** The claim of a token. */
const CLAIM = /^\S{1,500}$/;

/** A state, if any, and the text, which must not begin with a second state. */
export const LICENSE = /^(?:([A-Z]{2}):\s*)?((?![A-Z]{2}:)\S.{0,199})$/;

const isLicense = (entry: string): boolean => {
  const [, state, licenseText] = LICENSE.exec(entry) ?? [];
  return licenseText !== undefined && (state === undefined || Object.hasOwn(US_STATES, state));
};

const isMailServer = (address: string): boolean => {
  const url = parseUrl(address);
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
};

/** In live mode, too, plain HTTP to this machine is allowed, for example to a gateway on it: the request does not leave the machine. */
const isTextService = (address: string): boolean => {
  const url = parseUrl(address);
  return url !== undefined && isConfidential(url, 'sandbox');
};

const isEndpoint = (address: string, mode: Mode): boolean => {
  const url = parseUrl(address);
  return url !== undefined && !/[?#]/.test(address) && !url.username && !url.password && isConfidential(url, mode);
};

const isKeyAddress = (address: string, mode: Mode): boolean => {
  const url = parseUrl(address);
  return url !== undefined && !url.username && !url.password && !address.includes('#') && isConfidential(url, mode);
};

/** One or two secrets with the size of a key in the Standard Webhooks specification. */
const areLenderSecrets = (value: string): boolean => {
  const secrets = value.split(',').map((secret) => secret.trim());
  return secrets.length <= 2 && secrets.every(isLenderSecret);
};

const isLenderSecret = (secret: string): boolean => {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  // Encoded again, because `Buffer.from` ignores what is not base64.
  return key.length >= 24 && key.length <= 64 && key.toString('base64').replaceAll('=', '') === base64!.replaceAll('=', '');
};

const areTenants = (value: string): boolean => {
  const ids = value.split(',').flatMap((id) => id.trim().toLowerCase() || []);
  return value.trim() === '*' || (ids.length > 0 && ids.every(isId));
};

/** A key of the other mode would charge real cards in tests, or no cards in purchases. */
const isStripeKey = (key: string, mode: Mode): boolean => new RegExp(`^[sr]k_${stripeKind(mode)}_[A-Za-z0-9_]+$`).test(key);
const stripeKind = (mode: Mode): string => (mode === 'live' ? 'live' : 'test');

/**
 * All settings by group, in the order of the guide and of a settings file. They are read, checked and documented by this table. The limit 0
 * disables a limit.
 */
export const SETTING_GROUPS = {
  Service: {
    MODE: choice(['sandbox', 'live'], 'a sandbox makes no real purchases and sends nothing', { live: 'required' }),
    HOST: setting('an address of this machine', /^\S+$/, 'listen address. Plain HTTP works on loopback in the sandbox only', {
      default: '127.0.0.1',
    }),
    PORT: integer(4_000, port, 'listen port'),
    METRICS_PORT: setting(
      `${port.of} from 0 to ${port.max}`,
      (value) => /^\d{1,5}$/.test(value) && Number(value) <= port.max,
      'listen port of the [metrics](monitoring.md) and of the status page, which have no sign-in. Without it, they are not served',
    ),
    METRICS_HOST: setting('an address of this machine', /^\S+$/, 'listen address of the metrics', { default: '127.0.0.1' }),
    PUBLIC_URL: setting(
      (mode) => (mode === 'live' ? 'an https address' : 'an http or https address'),
      (value, mode) => (mode === 'live' ? /^https:$/ : /^https?:$/).test(parseUrl(value)?.protocol ?? ''),
      'address for buyers and pages, by default localhost with the port',
      { live: 'required' },
    ),
    TRUST_PROXY: setting(
      (mode) => (mode === 'live' ? '1' : '0 or 1'),
      (value, mode) => value === '1' || (mode === 'sandbox' && value === '0'),
      '`1` behind a [proxy](installation.md#proxy) that terminates TLS',
      { default: { sandbox: '0', live: '' }, live: 'required' },
    ),
    CALLBACK_ALLOW: setting(
      'comma-separated host names or IP addresses',
      /^[^\s,]+(\s*,\s*[^\s,]+)*\s*,?$/,
      'callback hosts that may be in your own networks. Metadata services of clouds, link-local and multicast addresses stay rejected',
    ),
    SETTLEMENT_RUNS: choice(
      ['daily', 'manual'],
      '`daily`: a job settles each day that has ended in every US time zone. `manual`: only `settlements run` does',
    ),
  },
  Database: {
    DATABASE_URL: setting(
      'sqlite:FILE or postgres://…',
      /^(sqlite:.|postgres(ql)?:\/\/)/,
      '`sqlite:FILE` or `postgres://user:password@host/name`; in live mode with `?sslmode=verify-full`, unless the host is a socket or loopback. `sslrootcert=FILE` names a private certificate authority',
      { default: { sandbox: 'sqlite:data/sandbox.db', live: 'sqlite:data/live.db' }, live: 'recommended', isSecret: true },
    ),
    DATABASE_PREPARE: choice(
      ['on', 'off'],
      '`off`: statements of PostgreSQL have no names, for a [pooler](scale.md#poolers) in transaction mode',
    ),
    DATA_KEYS: setting(
      'comma-separated entries such as `fairterm data-key create` prints',
      /./,
      '[keys that encrypt personal data and secrets](operations.md#data-keys), the active one first, by default in a file next to the database of a sandbox',
      { live: 'required', isSecret: true },
    ),
  },
  Operator: {
    OPERATOR_NAME: setting(
      'a name',
      /^\S.{0,119}$/,
      'the company that runs the service, which pages, e-mails and agreements name as "we"; an example in the sandbox',
      { live: 'required', isReal: true },
    ),
    OPERATOR_ADDRESS: setting('a postal address on one line', /^\S.{0,299}$/, 'its postal address', {
      live: 'required',
      isReal: true,
    }),
    OPERATOR_PHONE: setting('a phone number', /^[+(]?\d[\d ().-]{1,37}\d$/, 'its phone number', {
      live: 'required',
      isReal: true,
    }),
    OPERATOR_EMAIL: setting('an e-mail address', EMAIL_ADDRESS, 'its e-mail address', { live: 'required', isReal: true }),
    OPERATOR_ALERTS_EMAIL: setting(
      'an e-mail address',
      EMAIL_ADDRESS,
      'the address of the people who resolve [exceptions](operations.md#exceptions): it receives an e-mail for each one that is raised, and before a pending application is denied, without personal data, at most 20 a day. Without it, exceptions are only listed and logged',
      { live: 'recommended', isReal: true },
    ),
    OPERATOR_LICENSES: setting(
      'licenses separated by semicolons, each with its state or for all states, such as "NMLS 7; CA: Broker license 60"',
      (value) => value.split(';').every((entry) => !entry.trim() || isLicense(entry.trim())),
      "the operator's own licenses, separated by semicolons, each with its state unless it is of all states: `NMLS 1234567; CA: Financing Law broker license 60DBO-00000`. Named after the operator: on pages and in agreements those of the buyer's state, in e-mails those of all states",
    ),
  },
  Lender: {
    LENDER_URL: setting(
      (mode) => `${confidentialUrlDescription(mode)} without user, query and fragment`,
      isEndpoint,
      'the [lender](lenders.md) that decides. Without one, test buyers determine the decisions of a sandbox',
      { live: 'required', mayBeSecret: true },
    ),
    LENDER_SECRET: setting(
      'whsec_ and 24 to 64 bytes in base64, or two of them separated by a comma',
      areLenderSecrets,
      'the secret that signs requests to it and from it; two while one is being replaced',
      { live: 'required', isSecret: true },
    ),
    LENDER_CA: setting(
      'a file with certificates as PEM',
      /./,
      'file of its certificate authority, by default those of the system',
    ),
    LENDER_TIMEOUT_MS: integer(
      10_000,
      { of: 'milliseconds', min: 100, max: 60_000 },
      'timeout of one request to it, with all attempts',
    ),
  },
  'E-mails, texts and cards': {
    SMTP_URL: setting(
      'an address such as smtps://user:password@host:465',
      isMailServer,
      'mail server, which only a live service uses. Let it sign the headers `List-Unsubscribe` and `List-Unsubscribe-Post` with DKIM, too: mail programs require it to offer the opt-out of e-mails with cart links (RFC 8058, 4)',
      { live: 'required', isSecret: true },
    ),
    MAIL_FROM: setting(
      'a sender such as mail@shop.example or Shop <mail@shop.example>',
      /^[^\s@<>]+@[^\s@<>]+$|^[^<>@\r\n]+ <[^\s@<>]+@[^\s@<>]+>$/,
      'sender of e-mails',
      { live: 'required', isReal: true },
    ),
    MAIL_REPORTS: setting(
      'mailgun or sendgrid',
      /^(mailgun|sendgrid)$/,
      'the mail provider that [reports e-mails which bounced](operations.md#bounced-e-mails)',
      { mayBeSecret: true },
    ),
    MAIL_REPORTS_KEY: setting('the key of its reports', /./, 'the key that verifies these reports', { isSecret: true }),
    TEXT_URL: setting(
      'an https address such as https://account:token@host/path',
      isTextService,
      "endpoint with Twilio's form parameters; live mode only. Texts with cart links mention STOP and HELP: switch on the replies of the text service to both, and state your name and phone number in the reply to HELP. After STOP it sends nothing to that phone, one-time codes included, until the reply START",
      { isSecret: true },
    ),
    TEXT_FROM: setting('a number such as +15550100100', /^\+?\d{3,15}$/, 'sender of texts'),
    CARD_STRIPE_KEY: setting(
      (mode) => `a secret key of Stripe for a ${mode} service, such as sk_${stripeKind(mode)}_…`,
      isStripeKey,
      "Stripe's secret key: `sk_live_…` in live mode; `sk_test_…` replaces the sandbox's test cards. Without it, live mode offers no partial approvals",
      { isSecret: true },
    ),
  },
  'Purchases and applications': {
    PENDING_DAYS: integer(7, days, 'days until a transaction expires that is not authorized'),
    AUTHORIZED_DAYS: integer(90, days, 'days until a transaction expires that is authorized and not settled'),
    APPROVAL_DAYS: integer(7, days, 'days for which an approval is valid'),
    EXTENSION_DAYS: integer(7, { ...days, min: 0 }, 'days by which the buyer may extend it once; 0: none'),
    APPLICATIONS_PER_IDENTITY_PER_DAY: integer(
      { live: 5, sandbox: 50 },
      applications,
      'requests for a decision about one person in 24 hours, in all carts of all merchants',
    ),
    APPLICATIONS_PER_RECIPIENT_PER_DAY: integer(
      { live: 5, sandbox: 50 },
      applications,
      'requests for a decision in 24 hours that are decided by e-mail to one address, at all merchants together',
    ),
    APPLICATIONS_PER_ADDRESS_PER_HOUR: integer(
      { live: 30, sandbox: 300 },
      applications,
      'requests for decisions from one client address per hour',
    ),
    CODES_PER_RECIPIENT_PER_DAY: integer(
      { live: 5, sandbox: 50 },
      codes,
      'one-time codes to one e-mail address or phone number, and as many links to continue, in 24 hours',
    ),
  },
  Limits: {
    STOREFRONT_CARTS_PER_ADDRESS: integer(30, perMinute, 'carts that pages may create per minute and client address'),
    STOREFRONT_CARTS_PER_MERCHANT: integer(600, perMinute, 'carts that pages may create per minute and merchant'),
    STOREFRONT_READS_PER_ADDRESS: integer(600, perMinute, 'other requests from shop pages, per minute and address'),
    CHECKOUT_PAGES_PER_ADDRESS: integer(600, perMinute, 'checkout pages and signed agreements, per minute and address'),
    CONSOLE_PAGES_PER_USER: integer(
      600,
      perMinute,
      'pages of the console, per minute and user, and per client address without a session',
    ),
    FAILED_LOGINS_PER_ADDRESS: integer(
      60,
      perMinute,
      'requests with wrong or missing credentials, and decisions of a lender and reports of a mail provider that the service rejects, per minute and address. Requests with valid credentials are never limited',
    ),
    EMAILS_PER_RECIPIENT_PER_DAY: integer(
      { live: 10, sandbox: 100 },
      perDay,
      'e-mails with cart links per day (UTC) to one address',
    ),
    EMAILS_PER_MERCHANT_PER_DAY: integer(
      { live: 1_000, sandbox: 10_000 },
      perDay,
      'e-mails with cart links per day (UTC) of one merchant',
    ),
    TEXTS_PER_RECIPIENT_PER_DAY: integer({ live: 10, sandbox: 100 }, perDay, 'texts with cart links per day (UTC) to one phone'),
    TEXTS_PER_MERCHANT_PER_DAY: integer(
      { live: 1_000, sandbox: 10_000 },
      perDay,
      'texts with cart links per day (UTC) of one merchant',
    ),
    DOCUMENT_PROOFS_PER_HOUR: integer(5, proofs, 'attempts to enter the ZIP code of an agreement, per agreement and per address'),
    DOCUMENT_PDFS_PER_HOUR: integer(30, pdfs, 'PDFs of one signed agreement'),
  },
  Console: {
    CONSOLE_IDLE_MINUTES: integer(
      30,
      { of: 'a number of minutes', min: 1, max: 1_440 },
      'minutes without a request after which users of the console have to sign in again',
    ),
    CONSOLE_SESSION_HOURS: integer(
      12,
      { of: 'a number of hours', min: 1, max: 168 },
      'hours after which they have to sign in again',
    ),
    SIGN_INS_PER_EMAIL_PER_HOUR: integer(
      { live: 5, sandbox: 50 },
      links,
      'e-mailed links to sign in to the console, to one e-mail address from one client address. From all clients together, and in one session of a signed-in user, the limit is four times this. A browser with which the person has signed in before has the limit for itself, whatever others request',
    ),
    SIGN_INS_PER_ADDRESS_PER_HOUR: integer(
      { live: 60, sandbox: 600 },
      links,
      'e-mailed links to all e-mail addresses from one client address',
    ),
  },
  'Personal data': {
    UNFINISHED_APPLICATION_HOURS: integer(
      24,
      hours,
      'hours after its last change until the contacts and address of an application that no lender received are deleted',
    ),
    APPLICATION_RETENTION_DAYS: integer(
      MIN_APPLICATION_DAYS,
      retainedDays(MIN_APPLICATION_DAYS),
      "days after its last change until the buyer's data of an application without a purchase that a lender received is deleted",
    ),
    PURCHASE_RETENTION_DAYS: integer(
      2_555,
      retainedDays(MIN_PURCHASE_DAYS),
      "days after its final status until the buyer's data of a transaction is deleted, or `APPLICATION_RETENTION_DAYS` if that is more, but never before 90 days after the end of its loan",
    ),
    CART_RETENTION_DAYS: integer(90, days, 'days after its last day until the contacts of a cart without a purchase are deleted'),
    UNUSED_CART_RETENTION_DAYS: integer(
      30,
      days,
      'days after its last day until a cart that a page created is deleted, with its applications, if no lender received one',
    ),
    MESSAGE_RETENTION_DAYS: integer(
      MIN_MESSAGE_DAYS,
      retainedDays(MIN_MESSAGE_DAYS),
      'days until callbacks, e-mails and texts are deleted that are not sent any more',
    ),
    // The database rejects the deletion of events of the last year.
    SECURITY_EVENT_RETENTION_DAYS: integer(730, { ...days, min: 366 }, 'days until security events are deleted'),
    DOCUMENT_LINK_DAYS: integer(
      90,
      days,
      'days after the signature until the link to a signed agreement also asks for the billing ZIP code',
    ),
  },
  'Platform tokens of another issuer': {
    TOKEN_ISSUER: setting(
      'the claim iss of its tokens, such as https://id.example',
      CLAIM,
      'another trusted issuer of platform tokens. Its tokens may be valid for at most a day',
    ),
    TOKEN_JWKS_URL: setting(
      (mode) => `${confidentialUrlDescription(mode)} without user and fragment`,
      isKeyAddress,
      'the address of its keys',
      { mayBeSecret: true },
    ),
    TOKEN_TENANTS: setting(
      'comma-separated ids of the tenants it may issue tokens for, or *',
      areTenants,
      'the tenants that its tokens may name; `*`: all',
    ),
    TOKEN_AUDIENCE: setting(
      'the claim aud of its tokens, without spaces',
      CLAIM,
      'the `aud` that its tokens must have, by default `PUBLIC_URL`',
    ),
  },
  'The demo of `npm start`': {
    DEMO_PORT: integer(4_001, port, 'port of the demo shop'),
    DEMO_LENDER_PORT: integer(4_002, port, 'port of the reference lender'),
    DEMO_SAMPLES: choice(['1', '0'], '`0`: no sample orders in an empty database. With `LENDER_URL` there never are'),
  },
} as const satisfies Record<string, Record<string, Setting>>;

type Groups = typeof SETTING_GROUPS;

export type SettingName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

export const SETTINGS: Readonly<Record<SettingName, Setting>> = Object.assign({}, ...Object.values(SETTING_GROUPS));

/** Settings that must not be set, and what to do instead. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  SCORE_URL: 'because deciding by credit scores was removed; set LENDER_URL to a lender',
  TLS_CERT: 'because a proxy terminates TLS; give it the file, and set TRUST_PROXY=1',
  TLS_KEY: 'because a proxy terminates TLS; give it the file, and set TRUST_PROXY=1',
};
