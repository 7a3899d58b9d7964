import { createHash } from 'node:crypto';

/** A file that pages load. */
export interface ReleasedFile {
  /** As in its address: `texts/fr.json`. */
  name: string;
  content: string;
  /** As browsers want it: `sha384-` and the hash in base64. */
  integrity: string;
  bytes: number;
}

/** The widget as it was built: files that belong together. */
export interface Release {
  /** The package's, and a hash of all files: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  files: readonly ReleasedFile[];
}

/** @param contents - What each file holds, in UTF-8, by its name. */
export function releaseOf(packageVersion: string, contents: ReadonlyMap<string, Buffer>): Release {
  const hash = createHash('sha256');
  const files = [...contents]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => {
      hash.update(`${name}\n${bytes.length}\n`).update(bytes);
      return releasedFile(name, bytes);
    });
  return { version: `${packageVersion}-${hash.digest('hex').slice(0, 12)}`, files };
}

function releasedFile(name: string, bytes: Buffer): ReleasedFile {
  const content = bytes.toString('utf8');
  // What is kept as text must come back as the bytes it was.
  if (!Buffer.from(content).equals(bytes) || content.includes('\0')) throw new Error(`${name} is not text in UTF-8`);
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  return { name, content, integrity, bytes: bytes.length };
}
