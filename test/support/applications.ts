import { addProgram } from '../../server/lending/programs/store.ts';
import { addApplication, type Application } from '../../server/lending/applications/store.ts';
import { addCart } from '../../server/purchases/carts/store.ts';
import { newId } from '../../server/base/ids.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { requireMerchant } from '../../server/merchants/store.ts';
import { systemClock, type Instant } from '../../server/base/time.ts';
import { type Grant, createTokenIssuer } from '../../server/platform/tokens/issue.ts';
import type { Application as ListedApplication } from '../../shared/wire/application.ts';
import { createDatabase, defaultEngine, type Engine } from './databases.ts';
import { startApp } from './app.ts';
import { type ApiResponse, listApplications, startService, type TestService } from './service.ts';
import { applicationRow, cartRow } from './purchases.ts';

export type StoredApplication = Application;

/** The creation time of carts and applications. Any value works. */
const AT: Instant = '2026-11-21T09:30:00.000000Z';

/** A response of the application list. */
export interface ListResponse extends ApiResponse {
  applications: ListedApplication[];
  /** Their ids, in order. */
  ids: string[];
  /** Link of the next page; undefined on the last page. */
  next: string | undefined;
}

/** @param query - A query string, or values by name, with a list for a repeated parameter. */
export type ListApplications = (query?: string | Record<string, string | readonly string[]>) => Promise<ListResponse>;

/** A merchant with two programs. */
export interface Seller {
  tenantId: string;
  merchantId: string;
  programId: string;
  otherProgramId: string;
}

export interface Listed {
  service: Pick<TestService, 'database' | 'publicUrl' | 'logged'>;
  sellers: Seller[];
  /** Inserts applications directly into the database, without a checkout. Omitted fields have defaults. */
  createApplications(applications: readonly Partial<StoredApplication>[]): Promise<void>;
  /** Deletes every application. */
  deleteApplications(): Promise<void>;
  tokenFor(grant: Partial<Grant> & Pick<Grant, 'tenantId'>): Promise<string>;
  /** Returns a function that lists applications with a token for `grant`. */
  listAs(grant: Partial<Grant> & Pick<Grant, 'tenantId'>): Promise<ListApplications>;
}

/**
 * Starts a service with test applications.
 *
 * @param tenants - The tenant of each seller. In `['a', 'a', 'b']` the first two sellers belong to the same tenant.
 * @param options - `hasJobs` is false for a service without jobs, which would save that applications have expired.
 */
export async function createListing(
  engine = defaultEngine,
  tenants: readonly string[] = ['a'],
  { hasJobs = true } = {},
): Promise<Listed> {
  const service = hasJobs ? await startService(engine) : await startWithoutJobs(engine);
  const { database, publicUrl } = service;
  const tenantIds = new Map<string, string>();
  const sellers: Seller[] = [];
  for (const tenant of tenants) {
    const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [], tenantId: tenantIds.get(tenant) };
    const { merchantId, tenantId } = await createMerchant(database, 'sandbox', shop, systemClock.now());
    tenantIds.set(tenant, tenantId);
    const { defaultProgramId: programId } = await requireMerchant(database.query, merchantId);
    const otherProgramId = newId();
    const other = { id: otherProgramId, merchantId, code: 'other', createdAt: AT };
    await database.write((tx) => addProgram(tx, other));
    sellers.push({ merchantId, tenantId, programId, otherProgramId });
  }

  const issue = createTokenIssuer(database, systemClock, publicUrl);
  const tokenFor: Listed['tokenFor'] = (grant) => issue({ scope: 'r:application', ...grant });

  return {
    service,
    sellers,
    tokenFor,
    listAs: async (grant) => listWith(publicUrl, await tokenFor(grant)),
    createApplications: async (applications) => {
      const rows = applications.map((application) => listedRow(sellers[0]!, application));
      const carts = rows.map(({ id, tenantId, merchantId, programId }) =>
        cartRow({ id, tenantId, merchantId, programId, at: AT }),
      );
      await database.write(async (tx) => {
        for (const cart of carts) await addCart(tx, cart);
        for (const row of rows) await addApplication(tx, row);
      });
    },
    deleteApplications: () =>
      database.write(async (tx) => {
        await tx.deleteFrom('applications').execute();
        await tx.deleteFrom('carts').execute();
      }),
  };
}

async function startWithoutJobs(engine: Engine): Promise<Listed['service']> {
  const database = await createDatabase(engine);
  return { database, ...(await startApp(database, {})) };
}

function listWith(publicUrl: string, token: string): ListApplications {
  return async (query = '') => {
    const queryString = typeof query === 'string' ? query : queryOf(query);
    const response = await listApplications(publicUrl, token, queryString);
    const applications: ListedApplication[] = response.body.applications ?? [];
    return {
      ...response,
      applications,
      ids: applications.map(({ id }) => id),
      next: /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1],
    };
  };
}

/** Returns the parameters as a query string. */
export function queryOf(parameters: Record<string, string | readonly string[]>): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return new URLSearchParams(pairs).toString();
}

/** Returns the row of an application that does not expire during a test. `overrides` replace its defaults. */
function listedRow({ tenantId, merchantId, programId }: Seller, overrides: Partial<StoredApplication>): StoredApplication {
  const id = overrides.id ?? newId();
  return {
    ...applicationRow({ id, tenantId, merchantId, programId, at: AT }),
    buyerId: newId(),
    statusCode: '610000',
    expiresAt: '9000-01-01T00:00:00.000000Z',
    ...overrides,
  };
}
