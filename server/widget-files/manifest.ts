import type { WidgetManifest } from '../../shared/wire/widget-manifest.ts';
import type { Readable } from '../db/database.ts';
import { listFiles } from './store.ts';

/** Returns the address and SRI hash of each file of each release. */
export async function manifestOf({ query }: Readable, publicUrl: string, current: string): Promise<WidgetManifest> {
  const versions: WidgetManifest['versions'] = {};
  for (const { version, name, integrity, bytes, released_at } of await listFiles(query)) {
    const { files } = (versions[version] ??= { releasedAt: released_at, files: {} });
    files[name] = { url: `${publicUrl}/widget/${version}/${name}`, integrity, bytes };
  }
  return { current, versions };
}
