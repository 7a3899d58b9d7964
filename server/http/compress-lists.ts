import koaCompress from 'koa-compress';
import type { Middleware } from './context.ts';

/** Lists of the merchant API and the platform API, which have no secrets. Nothing else may be added (decisions/0065). */
const LISTS = /^\/(transactions|carts|events|settlements|api\/application)\/?$/;

/**
 * Compresses JSON lists from 1 KiB with gzip, or Brotli at quality 4, if the client supports it and is no page. Mount it outside of
 * `idempotency`, which stores bodies.
 */
export function compressLists(): Middleware {
  const compress = koaCompress({ zstd: false, deflate: false });
  return (ctx, next) => {
    const isList = ctx.method === 'GET' && LISTS.test(ctx.path);
    // Only browsers send `Sec-Fetch-Site`. Without `Accept-Encoding`, koa-compress would serialize the list twice for nothing.
    const isSupported = ctx.get('accept-encoding') !== '' && ctx.get('sec-fetch-site') === '';
    return isList && isSupported ? compress(ctx, next) : next();
  };
}
