import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Files share a process and its modules: each cleans up what was given to it before the next begins.
afterAll(cleanUp);
