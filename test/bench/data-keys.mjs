/** `DATA_KEYS` of the databases of benchmarks, also for the processes that they start. */
import { createHash } from 'node:crypto';

process.env.DATA_KEYS ??= `bench:${createHash('sha256').update('bench').digest('base64')}`;

const { parseKeyRing } = await import(new URL('../../dist/server/db/key-ring.js', import.meta.url).href);

export const benchKeys = () => parseKeyRing(process.env.DATA_KEYS, 'DATA_KEYS');
