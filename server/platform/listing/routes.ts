import Router from '@koa/router';
import type { Application } from '../../../shared/wire/application.ts';
import { type Database, pageOf, type Readable } from '../../db/database.ts';
import { listHorizon } from '../../db/write-time.ts';
import type { Bearer, Context, Middleware, Scope, State } from '../../http/context.ts';
import { authorizationHeader } from '../../merchants/access/merchant-auth.ts';
import type { VerifyToken } from '../tokens/verify.ts';
import { linkNextPage } from '../../http/query.ts';
import { ServiceError } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import { endingBefore, listingOf, wantsMetadata } from './filters.ts';
import { presentApplication } from './present.ts';
import type { Clock, Instant } from '../../base/time.ts';
import { findListed, listApplications, openListed } from './store.ts';

/** The platform API. @param verifyToken - Returns the bearer of a token. @throws ServiceError */
export function applicationRoutes(database: Database, clock: Clock, verifyToken: VerifyToken<Bearer>): Router<State> {
  const router = new Router<State>({ prefix: '/api' });
  router.use(platformAuth(verifyToken));

  router.get('/application', async (ctx) => {
    const { applications, next } = await readApplicationPage(database, ctx.query, callerOf(ctx), clock.now());
    if (next) {
      const position = { 'lastTimestamp.eq': next.lastTimestamp, 'lastID.eq': next.lastId, offset: undefined };
      linkNextPage(ctx, position);
    }
    ctx.body = { applications };
  });

  router.get('/application/:id', async (ctx) => {
    const withMetadata = wantsMetadata(ctx.query);
    ctx.body = await readApplication(database, callerOf(ctx), ctx.params['id']!.toLowerCase(), withMetadata, clock.now());
  });

  return router;
}

/**
 * Requires a valid bearer token, and stores its bearer for `callerOf`.
 *
 * @throws ServiceError `token-missing`
 * @see RFC 6750; docs/platform-api.md, "Get a token".
 */
function platformAuth(verifyToken: VerifyToken<Bearer>): Middleware {
  return async (ctx, next) => {
    const token = /^bearer +([\w~+/.-]+=*) *$/i.exec(authorizationHeader(ctx))?.[1];
    if (token === undefined) throw new ServiceError('token-missing', 'Expected a bearer token in the header authorization.');
    ctx.state.bearer = await verifyToken(token);
    await next();
  };
}

function callerOf(ctx: Pick<Context, 'state'>): Bearer {
  return ctx.state.bearer!;
}

/** Returns an application in `scope`. @throws ServiceError `application-not-found` */
async function readApplication(
  { query }: Readable,
  scope: Scope,
  id: string,
  withMetadata: boolean,
  now: Instant,
): Promise<Application> {
  const row = isId(id) ? await findListed(query, scope, id) : undefined;
  const [listed] = row ? await openListed(query, [row]) : [];
  if (!listed)
    throw new ServiceError('application-not-found', 'Expected the id of an application that the token gives access to.');
  return presentApplication(listed, withMetadata, now);
}

interface Page {
  applications: Application[];
  /** Position of the next page; undefined on the last page. */
  next: { lastTimestamp: string; lastId: string } | undefined;
}

/** Returns a page of the applications in `scope`. @throws ServiceError `invalid-parameter`, `merchant-conflict` */
export async function readApplicationPage(
  { query }: Readable,
  parameters: Readonly<Record<string, unknown>>,
  scope: Scope,
  now: Instant,
): Promise<Page> {
  const requested = listingOf(parameters, scope, now);
  // An ascending list ends before the oldest change that is still being saved, so that a client that follows it misses nothing.
  const horizon = requested?.sort.direction === 'asc' ? await listHorizon(query) : undefined;
  const listing = requested && horizon !== undefined ? endingBefore(requested, horizon) : requested;
  if (!listing) return { applications: [], next: undefined };
  const { items, isLast } = await pageOf(listing.limit, (limit) => listApplications(query, { ...listing, limit }));
  const last = isLast ? undefined : items.at(-1);
  const listed = await openListed(query, items);
  return {
    applications: listed.map((row) => presentApplication(row, listing.withMetadata, now)),
    next: last && { lastTimestamp: last[listing.sort.by], lastId: last.id },
  };
}
