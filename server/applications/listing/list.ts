import type { Application } from '../../../shared/wire/application.ts';
import type { Readable } from '../../db/database.ts';
import { listingOf } from './filters.ts';
import { presentApplication } from './present.ts';
import type { Scope } from './scope.ts';
import { listApplications } from './store.ts';

export interface Page {
  applications: Application[];
  /** The keyset of the page after this one; undefined on the last. */
  next: { lastTimestamp: string; lastId: string } | undefined;
}

/**
 * The applications that a query asks for and that `scope` lets be seen.
 *
 * @throws ServiceError `invalid-parameter`, `merchant-conflict`
 */
export async function listPage({ query }: Readable, asked: Readonly<Record<string, unknown>>, scope: Scope): Promise<Page> {
  const listing = listingOf(asked, scope);
  if (!listing) return { applications: [], next: undefined };
  // Selects one more than the limit to find out whether there is another page.
  const rows = await listApplications(query, { ...listing, limit: listing.limit + 1 });
  const page = rows.slice(0, listing.limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return {
    applications: page.map((row) => presentApplication(row, scope, listing.withMetadata)),
    next: last && { lastTimestamp: last[listing.sort.by], lastId: last.id },
  };
}
