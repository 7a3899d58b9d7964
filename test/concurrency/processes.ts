/**
 * Processes of the service that share a database, and requests that alternate between them: this process and another one on PostgreSQL;
 * only this one on SQLite, which has one writer at a time.
 */
import { type Config, readConfig } from '../../server/base/config/config.ts';
import { type Database } from '../../server/db/database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { type Instant, systemClock } from '../../server/base/time.ts';
import { chair } from '../support/checkout.ts';
import type { Engine } from '../support/databases.ts';
import { type Responder, respondsWith, SECRET, startLender, type TestLender } from '../support/lenders.ts';
import { buildProject, startReachableProcess } from '../support/process.ts';
import {
  type ApiResponse,
  clientOf,
  fetchResponse,
  startService,
  type TestMerchant,
  type TestService,
} from '../support/service.ts';

/** Number of concurrent callers. */
const CALLERS = 64;

/** Options of tests with many callers, which are slow on a busy machine. */
export const SLOW = { timeout: 180_000 };

export interface Processes {
  database: Database;
  /** Approves all applications, and accepts all signed agreements. */
  lender: TestLender;
  /** URLs of the processes. */
  origins: string[];
  /** Returns a URL with the origin of the next process. */
  atNext(url: string): string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  newCart(options?: object): Promise<{ id: string; url: string }>;
  /** Completes a purchase of one chair for $750.00, applies actions, and returns the id of the transaction. */
  newTransaction(actions?: readonly object[], options?: object): Promise<string>;
}

export async function startProcesses(engine: Engine): Promise<Processes> {
  const decision = { outcome: 'approved', tierId: 'A', limitCents: null };
  const respond: Responder = (response, request) =>
    respondsWith(request.path.endsWith('/agreements') ? { outcome: 'accepted' } : decision)(response, request);
  const lender = await startLender(respond, { isPlain: true });
  const lenderEnv = { LENDER_URL: lender.endpoint.url, LENDER_SECRET: SECRET };
  const { databaseUrl, publicUrl, database } = await startService(engine, { lender: readConfig(lenderEnv).lender });
  const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const { apiKey, secret } = await createMerchant(database, 'sandbox', merchant, systemClock.now());
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const origins = [publicUrl];
  if (engine === 'postgres') {
    await buildProject();
    origins.push((await startReachableProcess(databaseUrl, lenderEnv)).url);
  }

  let requests = 0;
  const atNext = (address: string) => new URL(new URL(address).pathname, origins[requests++ % origins.length]).href;
  const call: Processes['call'] = (method, path, body, headers = {}) =>
    fetchResponse(origins[requests++ % origins.length] + path, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const post: Processes['post'] = (path, body, headers) => call('POST', path, body, headers);
  const newCart: Processes['newCart'] = async (options = {}) =>
    (await post('/carts', { options: { items: [chair], ...options } })).body;
  const newTransaction: Processes['newTransaction'] = async (actions = [], options = {}) => {
    const { body } = await post('/sandbox/checkouts', { cartId: (await newCart(options)).id });
    for (const action of actions) await post(`/transactions/actions/${body.transactionId}`, action);
    return body.transactionId;
  };
  return { database, lender, origins, atNext, call, post, newCart, newTransaction };
}

/**
 * Starts services in this process that share a database: two on PostgreSQL, one on SQLite. `merchants` is one merchant with a client of
 * each service. All clocks are moved together.
 */
export async function startServices(
  engine: Engine,
  config: Partial<Config>,
): Promise<{
  service: TestService;
  origins: string[];
  databases: Database[];
  merchants: TestMerchant[];
  moveClocks(now: Instant): void;
}> {
  const service = await startService(engine, config);
  const services = [service];
  if (engine === 'postgres') services.push(await startService(engine, { ...config, databaseUrl: service.databaseUrl }));
  const merchant = await service.createMerchant();
  return {
    service,
    origins: services.map(({ publicUrl }) => publicUrl),
    databases: services.map(({ database }) => database),
    merchants: services.map(({ publicUrl }) => ({ ...merchant, ...clientOf(publicUrl, merchant) })),
    moveClocks: (now) => services.forEach(({ clock }) => clock.moveTo(now)),
  };
}

/** Calls `work` with 0, 1, … and waits for all results. */
export const concurrently = <T>(work: (index: number) => Promise<T>, count = CALLERS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

export const succeeded = (responses: ApiResponse[]): ApiResponse[] => responses.filter(({ status }) => status === 200);

/** Returns the distinct error codes of responses. */
export const codesOf = (responses: ApiResponse[]): string[] => [
  ...new Set(responses.flatMap(({ body }): string[] => body?.code ?? [])),
];

/** Returns the statuses of responses, in ascending order. */
export const statusesOf = (responses: { status: number }[]): number[] =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);

export const journalOf = ({ query }: Database, transactionId: string) =>
  query
    .selectFrom('transaction_entries')
    .select(['sequence', 'type', 'amountCents'])
    .where('transactionId', '=', transactionId)
    .orderBy('sequence')
    .execute();
