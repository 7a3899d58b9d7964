import { request } from 'undici';
import type { LenderConfig } from '../../../base/config/lender.ts';
import { failureOf } from '../../../base/errors.ts';
import { epochMs, systemClock } from '../../../base/time.ts';
import { createAgent, openResponse, signedHeaders } from '../signed-client.ts';
import type { Parsed } from '../fault.ts';

/** A request to a lender. Without the optional deviations, it is what the service sends. */
export interface ProbeRequest {
  method?: string;
  path: string;
  id: string;
  body?: unknown;
  /** Replaces the JSON of `body`. */
  text?: string;
  /** Changes the text after it was signed. */
  afterSigning?: (text: string) => string;
  /** Changes the headers after they were signed; undefined removes one. */
  headers?: (headers: Readonly<Record<string, string>>) => Record<string, string | undefined>;
  /** Replaces the secrets of the endpoint. */
  secrets?: readonly string[];
  /** Seconds from now to the timestamp. */
  offsetSeconds?: number;
}

export interface Reply {
  /** Null without a response. */
  status: number | null;
  /** The body of a response that is signed for this request now. */
  opened: Parsed<unknown>;
}

export interface Probe {
  /** Sends one request, once. Never rejects. */
  send(request: ProbeRequest): Promise<Reply>;
  close(): Promise<void>;
}

/** Creates a client that sends single requests, also invalid ones, with the signatures and checks of the service. */
export function createProbe({ url, secrets: ownSecrets, ca, timeoutMs }: LenderConfig): Probe {
  const agent = createAgent({ ca, timeoutMs });
  const nowSeconds = () => Math.floor(epochMs(systemClock.now()) / 1_000);

  const send = async ({
    method = 'POST',
    path,
    id,
    body,
    text = body === undefined ? '' : JSON.stringify(body),
    afterSigning = (signed) => signed,
    headers: change = (headers) => headers,
    secrets = ownSecrets,
    offsetSeconds = 0,
  }: ProbeRequest): Promise<Reply> => {
    const hasBody = method !== 'GET';
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const headers = change(await signedHeaders({ id, text, hasBody, atSeconds: nowSeconds() + offsetSeconds, secrets }));
      const response = await request(url + path, {
        method,
        headers,
        body: hasBody ? afterSigning(text) : null,
        dispatcher: agent,
        signal,
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const opened = await openResponse(response.headers, bytes, { id, atSeconds: nowSeconds(), secrets: ownSecrets });
      return { status: response.statusCode, opened };
    } catch (thrown) {
      const fault = signal.aborted ? `no response within ${timeoutMs} ms` : `no response: ${failureOf(thrown)}`;
      return { status: null, opened: { fault } };
    }
  };
  return { send, close: () => agent.destroy() };
}
