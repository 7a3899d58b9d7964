import type { WidgetFileTable } from '../../db/schema.ts';
import type { Selectable } from 'kysely';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Database, Query, Tx } from '../../db/database.ts';
import { packageVersion } from '../../base/package-version.ts';
import type { Instant } from '../../base/time.ts';

/** A file with its path in its URL, `texts/es.js`, and its subresource integrity value: `sha384-` and the hash in base64. */
type ReleasedFile = Omit<WidgetFile, 'version' | 'releasedAt'>;

/** The files of one build of the widget. */
export interface Release {
  /** Version of the package, and a hash of all files: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  files: readonly ReleasedFile[];
}

/** Returns the release of these files. @param contents - Contents of the files by name. */
export function releaseOf(baseVersion: string, contents: ReadonlyMap<string, Buffer>): Release {
  const hash = createHash('sha256');
  const files = [...contents]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => {
      hash.update(`${name}\n${bytes.length}\n`).update(bytes);
      return releasedFile(name, bytes);
    });
  return { version: `${baseVersion}-${hash.digest('hex').slice(0, 12)}`, files };
}

function releasedFile(name: string, bytes: Buffer): ReleasedFile {
  const content = bytes.toString('utf8');
  // Stored text must decode to the original bytes.
  if (!Buffer.from(content).equals(bytes) || content.includes('\0')) throw new Error(`${name} is not text in UTF-8`);
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  return { name, content, integrity, bytes: bytes.length };
}

/** Names of the files that the service serves. Other files are only for bundlers. */
const SERVED = /^([\w.-]+\.(js|css)|texts\/[\w-]+\.js)$/;

/** Reads the built release in a folder. @throws Error - the folder contains no release. */
export function readRelease(folder: string): Release {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const served = names.map((name) => name.replaceAll(sep, '/')).filter((name) => SERVED.test(name));
  if (!served.includes('financing-button.js')) throw new Error(`Expected the built widget in ${folder}; run npm run build`);
  return releaseOf(packageVersion(), new Map(served.map((name) => [name, readFileSync(join(folder, name))])));
}

/** Stores a release permanently (server/decisions/0027). Does nothing if this or another process has stored it already. */
export async function storeRelease(database: Database, { version, files }: Release, now: Instant): Promise<void> {
  if (await isStored(database.query, version)) return;
  await database.write((tx) =>
    addFiles(
      tx,
      files.map((file) => ({ ...file, version, releasedAt: now })),
    ),
  );
}

type WidgetFile = Selectable<WidgetFileTable>;

async function isStored(query: Query, version: string): Promise<boolean> {
  return (await query.selectFrom('widget_files').select('name').where('version', '=', version).executeTakeFirst()) !== undefined;
}

/** Adds files, unless another process has added them. */
async function addFiles(tx: Tx, rows: WidgetFile[]): Promise<void> {
  await tx
    .insertInto('widget_files')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findContent(query: Query, version: string, name: string): Promise<string | undefined> {
  const file = query.selectFrom('widget_files').select('content').where('version', '=', version).where('name', '=', name);
  return (await file.executeTakeFirst())?.content;
}

/** Returns all files of all releases without their contents, the latest release first. */
export function listFiles(query: Query): Promise<Omit<WidgetFile, 'content'>[]> {
  return query
    .selectFrom('widget_files')
    .select(['version', 'name', 'integrity', 'bytes', 'releasedAt'])
    .orderBy('releasedAt', 'desc')
    .orderBy('version')
    .orderBy('name')
    .execute();
}
