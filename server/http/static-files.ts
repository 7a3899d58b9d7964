import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Router from '@koa/router';
import type { Context, State } from './context.ts';

/** Cache lifetime of files whose URL changes with their content. */
export const FOREVER_SECONDS = 31_536_000;

/** Formats that are compressed already. */
const COMPRESSED = /\.png$/;

/** A file in memory. */
export interface StaticFile {
  /** `/checkout/checkout.css` */
  path: string;
  /** URL that changes with the content, so that it can be cached indefinitely. */
  url: string;
  /** Responds with the file. @param maxAgeSeconds - Cache lifetime without revalidation. */
  send(ctx: Context, maxAgeSeconds: number): void;
}

/**
 * Reads a file to be served.
 *
 * @param path - Path of the file on disk.
 * @param folder - Path of the URL, `/checkout`.
 */
export function staticFile(path: string, folder: string): StaticFile {
  return staticContent(readFileSync(path), `${folder}/${basename(path)}`);
}

/**
 * Serves content with an ETag, compressed once with Brotli or gzip if the client accepts one of them.
 *
 * @param path - Path of the URL, `/openapi.json`. Its extension determines the content type.
 * @param quality - Of Brotli, which blocks the process: for the API reference the best quality takes 0.8 seconds, and 9 takes 0.04, for 11 %
 *   more bytes.
 */
export function staticContent(
  content: Buffer,
  path: string,
  quality = content.length > 100_000 ? 9 : constants.BROTLI_MAX_QUALITY,
): StaticFile {
  const compressed = new Map<string, Buffer>();
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);

  return {
    path,
    url: `${path}?v=${hash}`,
    send: (ctx, maxAgeSeconds) => {
      const encoding = COMPRESSED.test(path) ? undefined : acceptedEncoding(ctx);
      ctx.type = path.slice(path.lastIndexOf('.'));
      ctx.etag = encoding ? `${hash}-${encoding}` : hash;
      ctx.set('cache-control', `public, max-age=${maxAgeSeconds}`);
      ctx.vary('accept-encoding');
      if (isCached(ctx)) return;
      if (!encoding) {
        ctx.body = content;
        return;
      }
      const body = compressed.get(encoding) ?? compress(content, encoding, quality);
      compressed.set(encoding, body);
      ctx.set('content-encoding', encoding);
      ctx.body = body;
    },
  };
}

const ENCODINGS = ['br', 'gzip'] as const;

/** Returns the encoding with the fewest bytes that the client accepts. Of several, Koa would choose the one that the client names first. */
function acceptedEncoding(ctx: Context): (typeof ENCODINGS)[number] | undefined {
  return ENCODINGS.find((encoding) => ctx.acceptsEncodings(encoding, 'identity') === encoding);
}

function compress(content: Buffer, encoding: (typeof ENCODINGS)[number], quality: number): Buffer {
  if (encoding === 'gzip') return gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Returns routes of files that only pages of this service load, from addresses that change with their content. */
export function ownFileRoutes(...files: readonly StaticFile[]): Router<State> {
  const router = new Router<State>();
  for (const file of files) {
    router.get(file.path, (ctx) => {
      ctx.set('cross-origin-resource-policy', 'same-origin');
      file.send(ctx, FOREVER_SECONDS);
    });
  }
  return router;
}

/** Responds with cacheable JSON, or with 304 if the client has it already. */
export function sendCacheable(ctx: Context, body: string, cacheControl: string): void {
  ctx.set('cache-control', cacheControl);
  ctx.etag = createHash('sha256').update(body).digest('base64url');
  if (isCached(ctx)) return;
  ctx.type = 'json';
  ctx.body = body;
}

/** Returns true if the client has the content with this ETag, and responds with 304 then. */
function isCached(ctx: Context): boolean {
  // Koa compares the ETag only for a success.
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  return ctx.status === 304;
}

const SHARED_STYLES = fileURLToPath(new URL('./pages/page.css', import.meta.url));

/**
 * Concatenates `page.css`, which all pages share, and other files to one style sheet.
 *
 * @param files - Paths on disk, in cascade order.
 * @param path - Path of the URL, `/checkout/checkout.css`.
 */
export function createStylesheet(files: readonly string[], path: string): StaticFile {
  return staticContent(Buffer.concat([SHARED_STYLES, ...files].map((file) => readFileSync(file))), path);
}
