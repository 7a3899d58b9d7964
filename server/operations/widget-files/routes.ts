import Router from '@koa/router';
import { LRUCache } from 'lru-cache';
import type { Database, Readable } from '../../db/database.ts';
import type { Context, State } from '../../http/context.ts';
import { FOREVER_SECONDS, sendCacheable, staticContent, type StaticFile } from '../../http/static-files.ts';
import { type Release, findContent, listFiles } from './release.ts';
import type { WidgetManifest } from '../../../shared/wire/storefront.ts';

/** Cache lifetime of files that can change. */
const MAX_AGE_SECONDS = 300;

/**
 * Routes of the current widget at `/widget/v1/`, and of every release at `/widget/VERSION/` (server/decisions/0027). Other files are
 * unknown paths.
 *
 * @param publicUrl - Public URL of the service without a trailing slash.
 */
export function widgetFileRoutes(database: Database, release: Release, publicUrl: string): Router<State> {
  const router = new Router<State>();
  const current = new Map(release.files.map(({ name, content }) => [name, staticContent(Buffer.from(content), `/${name}`)]));
  /** Files of earlier releases. */
  const cache = new LRUCache<string, StaticFile>({ max: 100 });

  const find = async (version: string, name: string): Promise<StaticFile | undefined> => {
    if (version === release.version) return current.get(name);
    const path = `${version}/${name}`;
    const cached = cache.get(path);
    if (cached) return cached;
    const content = isFilePath(path) ? await findContent(database.query, version, name) : undefined;
    if (content === undefined) return undefined;
    const file = staticContent(Buffer.from(content), `/${name}`);
    cache.set(path, file);
    return file;
  };

  router.get('/widget/manifest.json', async (ctx) => {
    const body = JSON.stringify(await manifestOf(database, publicUrl, release.version));
    allowAllOrigins(ctx);
    sendCacheable(ctx, body, `public, max-age=${MAX_AGE_SECONDS}`);
  });

  router.get('/widget/v1/*name', (ctx) => {
    const file = current.get(ctx.params['name']!);
    if (!file) return;
    allowAllOrigins(ctx);
    file.send(ctx, MAX_AGE_SECONDS);
  });

  router.get('/widget/:version/*name', async (ctx) => {
    const file = await find(ctx.params['version']!, ctx.params['name']!);
    if (!file) return;
    allowAllOrigins(ctx);
    file.send(ctx, FOREVER_SECONDS);
    ctx.set('cache-control', `public, max-age=${FOREVER_SECONDS}, immutable`);
  });

  return router;
}

/** Allows pages of all origins, which verify files with `integrity`. */
function allowAllOrigins(ctx: Context): void {
  ctx.set('access-control-allow-origin', '*');
  ctx.set('cross-origin-resource-policy', 'cross-origin');
}

/** Returns false for paths that no release can have, to skip the query. */
function isFilePath(path: string): boolean {
  return /^[\w.+/-]{1,120}$/.test(path);
}

/** Returns the URL and integrity value of each file of each release. */
async function manifestOf({ query }: Readable, publicUrl: string, current: string): Promise<WidgetManifest> {
  const versions: WidgetManifest['versions'] = {};
  for (const { version, name, integrity, bytes, releasedAt } of await listFiles(query)) {
    const { files } = (versions[version] ??= { releasedAt, files: {} });
    files[name] = { url: `${publicUrl}/widget/${version}/${name}`, integrity, bytes };
  }
  return { current, versions };
}
