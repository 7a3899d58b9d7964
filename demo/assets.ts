import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Middleware } from 'koa';

const folder = new URL('./assets/', import.meta.url);

/** Serves the files in `assets/`. They are read once at the start, and cached by browsers for an hour. */
export function assets(): Middleware {
  const files = new Map(readdirSync(folder).map((name) => [`/assets/${name}`, asset(name)]));

  return async (ctx, next) => {
    const file = files.get(ctx.path);
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next();
      return;
    }
    ctx.status = 200;
    ctx.type = file.type;
    ctx.etag = file.etag;
    ctx.set('Cache-Control', 'public, max-age=3600');
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = file.body;
  };
}

function asset(name: string) {
  const body = readFileSync(new URL(name, folder));
  return { body, type: extname(name), etag: createHash('sha256').update(body).digest('base64url').slice(0, 16) };
}
