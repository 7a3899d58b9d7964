import type { Database } from '../db/database.ts';
import type { Instant } from '../time.ts';
import type { Release } from './release.ts';
import { addFiles, isKept } from './store.ts';

/** Keeps a release for good (server/decisions/0027). Whoever comes second, on this process or another, changes nothing. */
export async function keepRelease(database: Database, { version, files }: Release, now: Instant): Promise<void> {
  if (await isKept(database.query, version)) return;
  await database.write((tx) =>
    addFiles(
      tx,
      files.map((file) => ({ ...file, version, released_at: now })),
    ),
  );
}
