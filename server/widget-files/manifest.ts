import type { WidgetManifest } from '../../shared/wire/widget-manifest.ts';
import { type Watched, whileUnchanged } from '../db/kept.ts';
import { listFiles } from './store.ts';

/** What `/widget/manifest.json` says: where each file of each release is, and what browsers check it against. */
export const manifestOf: (database: Watched, publicUrl: string, current: string) => Promise<WidgetManifest> = whileUnchanged(
  async ({ query }, publicUrl: string, current: string) => {
    const versions: WidgetManifest['versions'] = {};
    for (const { version, name, integrity, bytes, released_at } of await listFiles(query)) {
      const { files } = (versions[version] ??= { releasedAt: released_at, files: {} });
      files[name] = { url: `${publicUrl}/widget/${version}/${name}`, integrity, bytes };
    }
    return { current, versions };
  },
);
