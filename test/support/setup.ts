import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Test files share one process, so each releases its resources before the next one starts.
afterAll(cleanUp);
