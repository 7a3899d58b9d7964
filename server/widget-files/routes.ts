import Router from '@koa/router';
import type { Context } from 'koa';
import type { Database, Readable } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { FOREVER_SECONDS, sendCacheable, staticContent, type StaticFile } from '../http/static-files.ts';
import type { Release } from './release.ts';
import { findContent, listFiles } from './store.ts';
import type { WidgetManifest } from '../../shared/wire/storefront.ts';

/** How long browsers keep what may change before they ask whether it has. */
const MAX_AGE_SECONDS = 300;

/** Files of former releases that are held ready: a page that pins one loads a few. */
const MOST_READY = 100;

/**
 * The widget: as it is at `/widget/v1/`, and each release for good below its version (server/decisions/0027).
 *
 * @param publicUrl - Where pages reach the service, without a slash at the end.
 */
export function widgetFileRoutes(database: Database, release: Release, publicUrl: string): Router {
  const router = new Router();
  const current = new Map(release.files.map(({ name, content }) => [name, staticContent(Buffer.from(content), `/${name}`)]));
  const ready = new Map<string, StaticFile>();

  const find = async (version: string, name: string): Promise<StaticFile | undefined> => {
    if (version === release.version) return current.get(name);
    const path = `${version}/${name}`;
    const held = ready.get(path);
    if (held) return held;
    const content = isPlausible(path) ? await findContent(database.query, version, name) : undefined;
    if (content === undefined) return undefined;
    const file = staticContent(Buffer.from(content), `/${name}`);
    if (ready.size >= MOST_READY) ready.delete(ready.keys().next().value!);
    ready.set(path, file);
    return file;
  };

  router.get('/widget/manifest.json', async (ctx) => {
    const body = JSON.stringify(await manifestOf(database, publicUrl, release.version));
    open(ctx);
    sendCacheable(ctx, 'json', body, `public, max-age=${MAX_AGE_SECONDS}`);
  });

  router.get('/widget/v1/*name', (ctx) => {
    const file = current.get(ctx.params['name']!);
    if (!file) throw nothingAt(ctx);
    open(ctx);
    file.send(ctx, MAX_AGE_SECONDS);
  });

  router.get('/widget/:version/*name', async (ctx) => {
    const file = await find(ctx.params['version']!, ctx.params['name']!);
    if (!file) throw nothingAt(ctx);
    open(ctx);
    file.send(ctx, FOREVER_SECONDS);
    ctx.set('cache-control', `public, max-age=${FOREVER_SECONDS}, immutable`);
  });

  return router;
}

/** For pages of any origin, which check with `integrity` what they get. */
function open(ctx: Context): void {
  ctx.set('access-control-allow-origin', '*');
  ctx.set('cross-origin-resource-policy', 'cross-origin');
}

function nothingAt(ctx: Context): ServiceError {
  return new ServiceError('unknown-path', `There is nothing at ${ctx.path}`);
}

/** Whether it could be one of our files: anything else need not be looked for. */
function isPlausible(path: string): boolean {
  return /^[\w.+/-]{1,120}$/.test(path);
}

/** Returns the address and SRI hash of each file of each release. */
async function manifestOf({ query }: Readable, publicUrl: string, current: string): Promise<WidgetManifest> {
  const versions: WidgetManifest['versions'] = {};
  for (const { version, name, integrity, bytes, released_at } of await listFiles(query)) {
    const { files } = (versions[version] ??= { releasedAt: released_at, files: {} });
    files[name] = { url: `${publicUrl}/widget/${version}/${name}`, integrity, bytes };
  }
  return { current, versions };
}
