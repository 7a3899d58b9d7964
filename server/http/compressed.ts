import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

/** Most of what can be saved, for a third of what the rest would cost. */
const LEVEL = 4;

/**
 * Sends a page that is made for one reader, compressed for browsers that take it: a page then crosses the network in one go.
 *
 * The type of the answer must be set. What could be told from the length of compressed secrets takes somebody who makes a
 * reader's browser open the page again and again; to do so they would have to know its address, which is the secret.
 */
export function sendCompressed(ctx: Context, page: string): void {
  ctx.vary('accept-encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = page;
    return;
  }
  ctx.body = gzipSync(page, { level: LEVEL });
  ctx.set('content-encoding', 'gzip');
}
