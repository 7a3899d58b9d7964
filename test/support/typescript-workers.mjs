/** Lets worker threads of tests run the service from its sources. vitest compiles what the main thread imports. */
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) await import('./typescript.mjs');
