import { type Database, together, type Tx } from '../../db/database.ts';
import type { WriteBuffer } from '../../db/write-buffer.ts';
import { isId } from '../../base/ids.ts';
import { addRequest, type MerchantRequest } from '../requests/store.ts';
import type { Context, Middleware } from '../../http/context.ts';
import { rejectionOf } from '../../http/errors.ts';
import type { Limiter } from '../../http/rate-limit.ts';

/** The result that the first write of a request assumes. */
const SUCCEEDED = { status: 200, code: null };

/**
 * Records the POST, PUT and DELETE requests of merchants' keys (decisions/0067): in the database transaction of the request's first write,
 * which must use `databaseOf(ctx)`.
 *
 * Requests without a write, such as rejected ones, are sampled. They, and the results of requests that did not end as their first write
 * has assumed, are added to `unsaved`.
 */
export function recordRequests(database: Database, unsaved: WriteBuffer<MerchantRequest>, samples: Limiter): Middleware {
  return async (ctx, next) => {
    const { database: recording, isRecorded } = recordingDatabase(database, () => requestOf(ctx, SUCCEEDED));
    ctx.state.database = recording;
    await next();
    const code = ctx.state.isFault ? 'fault' : (rejectionOf(ctx) ?? null);
    const request = requestOf(ctx, { status: ctx.status, code });
    if (!request) return;
    // A recorded request is added again if it did not end as assumed. Others are sampled: the limiter returns 0 within the limit.
    const isDue = isRecorded()
      ? request.status !== SUCCEEDED.status || code !== null
      : samples(`${request.merchantId} ${code}`) === 0;
    if (isDue) unsaved.add(request);
  };
}

/** Returns a database whose first write also adds `requestOf()`, if there is one. */
function recordingDatabase(database: Database, newRequest: () => MerchantRequest | undefined) {
  let isRecorded = false;
  const write = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const request = isRecorded ? undefined : newRequest();
    if (!request) return database.write(work);
    isRecorded = true;
    try {
      return await database.write(async (tx) => {
        const [, result] = await together(addRequest(tx, request), work(tx));
        return result;
      });
    } catch (thrown) {
      isRecorded = false;
      throw thrown;
    }
  };
  return { database: { ...database, write }, isRecorded: () => isRecorded };
}

/** Returns the row of a request; undefined for other methods, and callers that are not merchants. */
function requestOf(
  { method, path, state }: Context,
  result: Pick<MerchantRequest, 'status' | 'code'>,
): MerchantRequest | undefined {
  const { requestId: id, merchantId, keyId } = state;
  const isRecorded = method === 'POST' || method === 'PUT' || method === 'DELETE';
  if (!isRecorded || merchantId === undefined || id === undefined || keyId === undefined) return undefined;
  return { id, merchantId, keyId, method, path: pathWithoutData(path), ...result };
}

/** Replaces the segments of a path that are neither ids nor words, because they may be personal data or secrets. */
function pathWithoutData(path: string): string {
  const segments = path.slice(0, MAX_PATH_LENGTH).split('/');
  return segments.map((segment) => (isId(segment) || /^[a-z]{0,20}$/.test(segment) ? segment : '…')).join('/');
}

const MAX_PATH_LENGTH = 200;
