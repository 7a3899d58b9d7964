import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Middleware } from 'koa';

const folder = new URL('./assets/', import.meta.url);
const styles = new URL('./styles/', import.meta.url);

/** The style sheets in the order of the cascade. They are served as one file. */
const STYLES = ['page', 'products', 'orders'];

/** Serves the files in `assets/` and the styles. They are read once at the start, and cached by browsers for an hour. */
export function assets(): Middleware {
  const css = Buffer.concat(STYLES.map((name) => readFileSync(new URL(`${name}.css`, styles))));
  const files = new Map([
    ['/assets/shop.css', asset('.css', css)],
    ...readdirSync(folder).map((name) => [`/assets/${name}`, asset(extname(name), readFileSync(new URL(name, folder)))] as const),
  ]);

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

/** @param type - File name extension. */
function asset(type: string, body: Buffer) {
  return { body, type, etag: createHash('sha256').update(body).digest('base64url').slice(0, 16) };
}
