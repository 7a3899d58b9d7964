import { parsedUrl } from '../../shared/url.ts';
import type { Mode } from '../mode.ts';
import { type Env, type WholeNumber, wholeIn } from './env.ts';
import { issuerIn, type TrustedIssuer } from './issuer.ts';
import { type LenderConfig, lenderIn } from './lender.ts';
import { emailIn, type MessageServer, textIn } from './messages.ts';

/** How the service is run. Everything it takes from its environment. */
export interface Config {
  mode: Mode;
  host: string;
  port: number;
  /** Where buyers and pages reach the service, without a slash at the end; left out, it is localhost at the port. */
  publicUrl?: string | undefined;
  databaseUrl: string;
  /** Whether `DATABASE_URL` was left out. */
  isDefaultDatabase: boolean;
  /** The service speaks HTTPS itself. */
  tls?: { certFile: string; keyFile: string } | undefined;
  /** All requests arrive through a proxy that sets `X-Forwarded-Proto`. */
  trustProxy: boolean;
  /** Host names of callback receivers that may have private addresses. */
  callbackAllow: string[];
  /** For how many days a transaction may wait to be authorized, and then to be settled, before it expires. */
  pendingDays: number;
  authorizedDays: number;
  /** Days for which an approval is valid, and days by which a buyer may extend it once. */
  approvalDays: number;
  extensionDays: number;
  /** How many connections may be open, and how many of them from one client's address; 0: no limit. */
  connections: ConnectionLimits;
  /** How often a client may call in a minute; 0: no limit. */
  limits: RateLimits;
  /** The SMTP server, and the sender of e-mails. */
  email?: MessageServer | undefined;
  /** Stripe's secret key, for the part of a purchase that is paid by card. */
  cardStripeKey?: string | undefined;
  /** The service that sends text messages, and their sender. */
  text?: MessageServer | undefined;
  /** Makes credit decisions. By default, test buyers determine them in the sandbox; in live mode no decisions are made. */
  lender?: LenderConfig | undefined;
  /** Another trusted issuer of tokens for the platform API. */
  tokenIssuer?: TrustedIssuer | undefined;
}

export interface ConnectionLimits {
  total: number;
  /** Not applied behind a proxy, because all connections have the proxy's address. */
  perAddress: number;
}

export interface RateLimits {
  /** Carts opened from one client's address, and from all the pages of one merchant. */
  cartsPerAddress: number;
  cartsPerMerchant: number;
  /** Everything else that a page asks for, from one client's address. */
  readsPerAddress: number;
  /** Pages of the checkout and of signed agreements. */
  pagesPerAddress: number;
  /** Calls of the merchant API, the platform API and OAuth without right credentials. Those with them have no limit. */
  failedLoginsPerAddress: number;
}

/** More than one process can serve. */
const MAX_CONNECTIONS = 1_000_000;

/** More a minute than one process answers. */
const MAX_PER_MINUTE = 1_000_000;

/** Ten years. A transaction that waits longer is not waiting. */
const MAX_DAYS = 3_650;

/**
 * Reads the configuration from environment variables.
 *
 * @throws Error - a variable has a value it cannot have; the message names it and what was expected.
 */
export function readConfig(env: Env): Config {
  const mode = env['MODE'] || 'sandbox';
  if (mode !== 'sandbox' && mode !== 'live') throw new Error(`MODE: expected "sandbox" or "live", but received "${mode}"`);
  const port = Number(env['PORT'] || 4000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT: expected a port from 0 to 65535, but received "${env['PORT']}"`);
  }
  const publicUrl = env['PUBLIC_URL'] || undefined;
  if (publicUrl !== undefined && !isWebAddress(publicUrl)) {
    throw new Error(`PUBLIC_URL: expected an http or https address, but received "${publicUrl}"`);
  }
  const tls = tlsIn(env);
  return {
    mode,
    host: env['HOST'] || '127.0.0.1',
    port,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    databaseUrl: env['DATABASE_URL'] || `sqlite:data/${mode}.db`,
    isDefaultDatabase: !env['DATABASE_URL'],
    tls,
    trustProxy: flagIn(env, 'TRUST_PROXY'),
    callbackAllow: (env['CALLBACK_ALLOW'] ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []),
    pendingDays: daysIn(env, 'PENDING_DAYS', 7),
    authorizedDays: daysIn(env, 'AUTHORIZED_DAYS', 90),
    approvalDays: daysIn(env, 'APPROVAL_DAYS', 7),
    extensionDays: daysIn(env, 'EXTENSION_DAYS', 7, 0),
    connections: {
      total: wholeIn(env, 'MAX_CONNECTIONS', 5_000, connections),
      perAddress: wholeIn(env, 'MAX_CONNECTIONS_PER_ADDRESS', 500, connections),
    },
    limits: {
      cartsPerAddress: wholeIn(env, 'STOREFRONT_CARTS_PER_ADDRESS', 30, perMinute),
      cartsPerMerchant: wholeIn(env, 'STOREFRONT_CARTS_PER_MERCHANT', 600, perMinute),
      readsPerAddress: wholeIn(env, 'STOREFRONT_READS_PER_ADDRESS', 600, perMinute),
      pagesPerAddress: wholeIn(env, 'CHECKOUT_PAGES_PER_ADDRESS', 600, perMinute),
      failedLoginsPerAddress: wholeIn(env, 'FAILED_LOGINS_PER_ADDRESS', 60, perMinute),
    },
    email: emailIn(env),
    text: textIn(env),
    lender: lenderIn(env, mode),
    cardStripeKey: stripeKeyIn(env, mode),
    tokenIssuer: issuerIn(env, mode, addressIn({ publicUrl: publicUrl?.replace(/\/+$/, ''), tls, port })),
  };
}

/**
 * Where the service is reached, without a slash at the end, and what it calls itself in tokens; undefined where the system is still
 * to pick a port.
 */
export function addressIn(config: Pick<Config, 'publicUrl' | 'tls' | 'port'>): string | undefined {
  return config.publicUrl === undefined && config.port === 0 ? undefined : addressAt(config, config.port);
}

/** The same of a service that listens on `port`. */
export function addressAt({ publicUrl, tls }: Pick<Config, 'publicUrl' | 'tls'>, port: number): string {
  return publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`;
}

/**
 * What only a service that is reached by others must have.
 *
 * @throws Error - a live service would not be reached by HTTPS.
 */
export function requireReachable({ mode, publicUrl, tls, trustProxy }: Config): void {
  if (mode !== 'live') return;
  if (!publicUrl || new URL(publicUrl).protocol !== 'https:') {
    throw new Error(
      `PUBLIC_URL: expected an https address for a live service, but received ${publicUrl ? `"${publicUrl}"` : 'none'}`,
    );
  }
  if (!tls && !trustProxy) throw new Error('TLS_CERT: expected TLS_CERT and TLS_KEY, or TRUST_PROXY=1, for a live service');
}

function tlsIn(env: Env): Config['tls'] {
  const [certFile, keyFile] = [env['TLS_CERT'], env['TLS_KEY']];
  if (certFile && keyFile) return { certFile, keyFile };
  if (certFile || keyFile)
    throw new Error(`TLS_${certFile ? 'KEY' : 'CERT'}: expected a file beside TLS_${certFile ? 'CERT' : 'KEY'}`);
  return undefined;
}

/** Rejects a key of the other environment: it would charge real cards for tests, or none for purchases. Errors do not include the key. */
function stripeKeyIn(env: Env, mode: Mode): string | undefined {
  const key = env['CARD_STRIPE_KEY'] || undefined;
  const kind = mode === 'live' ? 'live' : 'test';
  if (key === undefined || new RegExp(`^[sr]k_${kind}_[A-Za-z0-9_]+$`).test(key)) return key;
  throw new Error(
    `CARD_STRIPE_KEY: expected a secret key of Stripe for a ${mode} service, such as sk_${kind}_…, but received another`,
  );
}

function flagIn(env: Env, name: string): boolean {
  const value = env[name] || '0';
  if (value !== '0' && value !== '1') throw new Error(`${name}: expected 1 or 0, but received "${value}"`);
  return value === '1';
}

const connections: WholeNumber = { what: 'a number of connections', least: 0, most: MAX_CONNECTIONS };
const perMinute: WholeNumber = { what: 'a number of requests a minute', least: 0, most: MAX_PER_MINUTE };

function daysIn(env: Env, name: string, fallback: number, least = 1): number {
  return wholeIn(env, name, fallback, { what: 'a number of days', least, most: MAX_DAYS });
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parsedUrl(address)?.protocol ?? '');
}
