/** Starts the whole service in this process, on a real socket with a real database. */
import { fileURLToPath } from 'node:url';
import { Fairterm } from '@fairterm/client';
import type { Config, RateLimits } from '../../server/base/config/config.ts';
import type { Retention } from '../../server/base/config/retention.ts';
import type { Database } from '../../server/db/database.ts';
import { realListHorizon } from '../../server/db/write-time.ts';
import { type RunningService, serve } from '../../server/main.ts';
import type { MessageSenders } from '../../server/messages/messages.ts';
import { type CreatedMerchant, createMerchant, type NewMerchant } from '../../server/merchants/merchants.ts';
import type { UnstartedService } from '../../server/operations/sandbox/samples.ts';
import { createMigratedDatabaseUrl, defaultEngine } from './databases.ts';
import { onCleanup } from './cleanup.ts';
import { enableConformanceChecks, expectMatchesOpenApi, type Json } from './conformance.ts';
import pino, { type Logger } from 'pino';
import { testConfig } from './data-keys.ts';
import { until } from './time.ts';

/** Disables rate limits, because tests send more requests from one IP address than clients do. */
export const noLimits: RateLimits = {
  cartsPerAddress: 0,
  cartsPerMerchant: 0,
  readsPerAddress: 0,
  pagesPerAddress: 0,
  consolePages: 0,
  failedLoginsPerAddress: 0,
  applicationsPerAddress: 0,
  documentProofs: 0,
  documentPdfs: 0,
};

const { retention } = testConfig;
/** Prevents the deletion of buyers' details in tests that move the clock. Tests of the deletion run its job directly. */
const longRetention: Retention = { ...retention, unfinishedApplicationHours: 1_000_000 };

export const widgetFolder = fileURLToPath(new URL('../../dist/widget', import.meta.url));

/** The response to a call. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: Json;
}

export interface TestService extends RunningService {
  /** Everything that was logged. */
  logged: string[];
  databaseUrl: string;
  createMerchant(merchant?: Partial<NewMerchant>): Promise<TestMerchant>;
}

/** A merchant with an API client that uses its key pair. */
export interface TestMerchant extends CreatedMerchant {
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  call(method: string, path: string, init?: RequestInit): Promise<ApiResponse>;
  /** For setup calls whose responses a test does not check. */
  fairterm: Fairterm;
}

/**
 * Starts the whole service with a real socket and database for the surrounding tests. `overrides` replace the defaults; its `databaseUrl`
 * replaces the new database.
 *
 * @param messages - Senders, even in a sandbox.
 */
export async function startService(
  engine = defaultEngine,
  overrides: Partial<Config> = {},
  messages?: MessageSenders,
  beforeListening?: (service: UnstartedService) => Promise<void>,
): Promise<TestService> {
  const url = overrides.databaseUrl ?? (await createMigratedDatabaseUrl(engine));
  const { log, logged } = captureLog();
  const config = {
    ...testConfig,
    port: 0,
    databaseUrl: url,
    limits: noLimits,
    applicationsPerIdentity: 0,
    applicationsPerRecipient: 0,
    codesPerRecipient: 0,
    retention: longRetention,
    ...overrides,
  };
  const service = await serve(config, widgetFolder, {
    log,
    ...(messages && { messages }),
    ...(beforeListening && { beforeListening }),
  });
  enableConformanceChecks(service.publicUrl, config.mode);
  onCleanup(() => service.close());
  return {
    ...service,
    logged,
    databaseUrl: url,
    createMerchant: async (merchant = {}) => {
      const newMerchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [], ...merchant };
      const created = await createMerchant(service.database, 'sandbox', newMerchant, service.clock.now());
      const client = clientOf(service.publicUrl, created);
      const get = async (path: string) => {
        if (path.startsWith('/events')) await untilEventsAreListed(service.database);
        return client.get(path);
      };
      return { ...created, ...client, get };
    },
  };
}

/** Waits until the list of events has all of them. It ends before the oldest write in progress (decisions/0045). */
async function untilEventsAreListed({ query }: Database): Promise<void> {
  await until(async () => {
    const horizon = await realListHorizon(query);
    if (horizon === undefined) return true;
    const later = query.selectFrom('events').select('id').where('createdAt', '>=', horizon).limit(1);
    return (await later.executeTakeFirst()) === undefined;
  });
}

/** Returns functions and an API client that call the service with a merchant's key pair. */
export function clientOf(
  baseUrl: string,
  { apiKey, secret }: CreatedMerchant,
): Pick<TestMerchant, 'get' | 'post' | 'call' | 'fairterm'> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const call: TestMerchant['call'] = (method, path, init = {}) =>
    fetchResponse(baseUrl + path, {
      method,
      ...init,
      headers: new Headers([['authorization', authorization], ...new Headers(init.headers)]),
    });
  return {
    fairterm: new Fairterm({ serviceUrl: baseUrl, apiKey, secret }),
    call,
    get: (path) => call('GET', path),
    post: (path, body) =>
      call('POST', path, {
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

/** Sends a request without following redirects. The response of a test service must match its OpenAPI document. */
export async function fetchResponse(url: string, init: RequestInit = {}): Promise<ApiResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const received = { status: response.status, headers: response.headers, text, body: jsonIn(text) };
  expectMatchesOpenApi(url, init, received);
  return received;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A logger whose lines can be inspected. */
export function captureLog(): { log: Logger; logged: string[] } {
  const logged: string[] = [];
  const write = (lines: string) => void logged.push(...lines.trimEnd().split('\n'));
  return { log: pino({}, { write }), logged };
}

/** A token for the key pair of `merchant`. */
export async function requestToken(
  serviceUrl: string,
  { apiKey, secret }: Pick<TestMerchant, 'apiKey' | 'secret'>,
): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify({ apiKey, secret }) };
  const { body } = await fetchResponse(`${serviceUrl}/api/auth/service/authorize`, init);
  return body.token as string;
}

/** Sends `GET /api/application` with `token`. @param query - Such as `limit=1`. */
export function listApplications(serviceUrl: string, token: string, query = ''): Promise<ApiResponse> {
  return fetchResponse(`${serviceUrl}/api/application${query && `?${query}`}`, { headers: { authorization: `Bearer ${token}` } });
}
