import { buffer } from 'node:stream/consumers';
import { onCleanup } from '../../support/cleanup.ts';
import { listen } from '../../support/http.ts';

export interface LossyService {
  url: string;
  /** Calls since the start, as `POST /transactions/actions/ID {"type":"settle"}`. */
  calls: string[];
  /** Processes the next call that matches, and closes its connection without a response. */
  loseResponseOf(pattern: RegExp): void;
  /** Closes the connection of the next call that matches. It never arrives. */
  loseRequestOf(pattern: RegExp): void;
  /** Delays the next call that matches until `release`. `arrived` resolves when it is there. */
  hold(pattern: RegExp): { arrived: Promise<void>; release: () => void };
  /** Closes the connection of the next call that matches, which arrives when the returned function is called. Resolves to its status. */
  delay(pattern: RegExp): () => Promise<number>;
}

/** Starts a proxy in front of the service that loses the calls that a test selects. */
export async function startLossyService(serviceUrl: string): Promise<LossyService> {
  let lost: { pattern: RegExp; arrives: boolean } | undefined;
  let held: { pattern: RegExp; arrive: () => void; released: Promise<void> } | undefined;
  let delayed: { pattern: RegExp; keep: (send: () => Promise<Response>) => void } | undefined;
  const { server, url, stop } = await listen();
  onCleanup(stop);
  const calls: string[] = [];
  server.on('request', (request, response) => {
    void (async () => {
      const { method = 'GET', url: path = '/' } = request;
      const body = await buffer(request);
      const call = `${method} ${path} ${body.toString()}`;
      calls.push(call);
      if (held?.pattern.test(call)) {
        const { arrive, released } = held;
        held = undefined;
        arrive();
        await released;
      }
      const isLost = lost?.pattern.test(call) ?? false;
      const arrives = !isLost || lost!.arrives;
      if (isLost) lost = undefined;
      const headers = Object.fromEntries(
        ['authorization', 'content-type', 'fairterm-version', 'idempotency-key'].flatMap((name) =>
          typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [],
        ),
      );
      const send = () => fetch(serviceUrl + path, { method, headers, body: method === 'GET' ? null : body });
      if (delayed?.pattern.test(call)) {
        delayed.keep(send);
        delayed = undefined;
        request.socket.destroy();
        return;
      }
      const received = arrives ? await send() : undefined;
      const content = await received?.arrayBuffer();
      if (isLost || !received || !content) {
        request.socket.destroy();
        return;
      }
      response.writeHead(received.status, { 'content-type': received.headers.get('content-type') ?? '' });
      response.end(Buffer.from(content));
    })();
  });
  return {
    url,
    calls,
    hold(pattern) {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const arrived = new Promise<void>((resolve) => (held = { pattern, arrive: resolve, released }));
      return { arrived, release };
    },
    delay(pattern) {
      let deliver = (): Promise<Response> => Promise.reject(new Error(`No call matched ${pattern}`));
      delayed = { pattern, keep: (send) => (deliver = send) };
      return async () => (await deliver()).status;
    },
    loseResponseOf: (pattern) => void (lost = { pattern, arrives: true }),
    loseRequestOf: (pattern) => void (lost = { pattern, arrives: false }),
  };
}
