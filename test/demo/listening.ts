import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen, type Listening } from '../support/http.ts';

/** Starts an HTTP server that is closed after the test, or earlier by `stop`. */
export async function listening(response?: RequestListener): Promise<Listening> {
  const listener = await listen(response);
  onTestFinished(listener.stop);
  return listener;
}
