/** Modules and databases of the built service. */
import { createHash } from 'node:crypto';
import { ensureBuilt } from '../../server/setup/build.mjs';

await ensureBuilt();

/** Imports a module of `dist/`. The compiler does not know its types, because it may not exist yet. */
export const dist = (path: string): Promise<any> => import(new URL(`../../dist/${path}`, import.meta.url).href);

// Also for the processes that benchmarks start.
process.env['DATA_KEYS'] ??= `bench:${createHash('sha256').update('bench').digest('base64')}`;

const { parseKeyRing } = await dist('server/base/key-ring.js');

/** Returns the keys of the databases of benchmarks. */
export const benchKeys = () => parseKeyRing(process.env['DATA_KEYS'], 'DATA_KEYS');
