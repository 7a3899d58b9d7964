import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Cache lifetime of files whose URL changes with their content. */
export const FOREVER_SECONDS = 31_536_000;

/** A file held in memory, ready to be sent. */
export interface StaticFile {
  /** What it is served at, `/checkout/checkout.css`. */
  path: string;
  /** URL that changes with the content, so that it can be cached indefinitely. */
  url: string;
  /** Responds with the file. @param maxAgeSeconds - Cache lifetime without revalidation. */
  send(ctx: Context, maxAgeSeconds: number): void;
}

/**
 * Reads a file once, for being sent often.
 *
 * @param path   - Where it lies on disk.
 * @param folder - Path it is served below, `/checkout`.
 */
export function staticFile(path: string, folder: string): StaticFile {
  return staticContent(readFileSync(path), `${folder}/${basename(path)}`);
}

/**
 * Content for being sent often.
 *
 * @param path - What it is served at, `/openapi.json`. What follows the last dot in it says what the content is.
 */
export function staticContent(content: Buffer, path: string): StaticFile {
  let compressed: Buffer | undefined;
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);

  return {
    path,
    url: `${path}?v=${hash}`,
    send: (ctx, maxAgeSeconds) => {
      const takesBrotli = ctx.acceptsEncodings('br', 'identity') === 'br';
      ctx.type = path.slice(path.lastIndexOf('.'));
      ctx.etag = takesBrotli ? `${hash}-br` : hash;
      ctx.set('cache-control', `public, max-age=${maxAgeSeconds}`);
      ctx.vary('accept-encoding');
      ctx.status = 200;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      if (takesBrotli) ctx.set('content-encoding', 'br');
      ctx.body = takesBrotli ? (compressed ??= brotliCompressSync(content)) : content;
    },
  };
}

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
