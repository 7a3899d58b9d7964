/** Lets a process run TypeScript on Node versions that do not: `node --import ./test/support/typescript.mjs FILE`. */
import { register } from 'node:module';

if (!process.features.typescript) register('./typescript-hooks.mjs', import.meta.url);
