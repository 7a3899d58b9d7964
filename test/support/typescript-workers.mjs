/** Lets worker threads of tests run the service from its sources on Node versions that do not run TypeScript. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && !process.features.typescript) register('./typescript-hooks.mjs', import.meta.url);
