import { createHash } from 'node:crypto';
import type { Context } from 'koa';

/** Answers with what was made for this request and may be kept; with nothing, to who has it already. */
export function sendCacheable(ctx: Context, type: 'json' | 'html', body: string, cacheControl: string): void {
  ctx.set('cache-control', cacheControl);
  ctx.etag = createHash('sha256').update(body).digest('base64url');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}
