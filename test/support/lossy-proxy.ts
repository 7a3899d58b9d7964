import { buffer } from 'node:stream/consumers';
import { onCleanup } from './cleanup.ts';
import { listen } from './http.ts';

type Matches = (request: string) => boolean;

export interface LossyProxy {
  url: string;
  /** Method, path and action of the requests that reached the service, oldest first: `POST /transactions/actions/ID settle`. */
  forwarded: string[];
  /** Forwards the requests that match, but loses their answers, while `during` runs. */
  lose<T>(matches: Matches, during: () => Promise<T>): Promise<T>;
  /** Delays the requests that match until `during` has ended. */
  hold<T>(matches: Matches, during: () => Promise<T>): Promise<T>;
}

/** Starts a proxy in front of the service. */
export async function startLossyProxy(serviceUrl: string): Promise<LossyProxy> {
  const never: Matches = () => false;
  let isLost = never;
  let isHeld = never;
  let released = Promise.resolve();
  const forwarded: string[] = [];

  const { url, stop } = await listen((incoming, outgoing) => {
    void (async () => {
      const { method = 'GET', headers, url: path = '/' } = incoming;
      const body = await buffer(incoming);
      const action = /"type":"(\w+)"/.exec(body.toString())?.[1];
      const request = [method, path, action].join(' ').trim();
      if (isHeld(request)) await released;
      const { host: _, connection: __, 'content-length': ___, ...sent } = headers;
      const init = { method, headers: sent as Record<string, string>, redirect: 'manual' as const };
      const response = await fetch(serviceUrl + path, { ...init, ...(body.length > 0 && { body: new Uint8Array(body) }) });
      const content = await response.text();
      forwarded.push(request);
      if (isLost(request)) {
        incoming.socket.destroy();
        return;
      }
      // The content is decoded.
      const hop = /^(content-encoding|content-length|transfer-encoding|connection)$/;
      const kept = [...response.headers].filter(([name]) => !hop.test(name));
      outgoing.writeHead(response.status, Object.fromEntries(kept)).end(content);
    })();
  });
  onCleanup(stop);
  return {
    url,
    forwarded,
    lose: async (matches, during) => {
      isLost = matches;
      try {
        return await during();
      } finally {
        isLost = never;
      }
    },
    hold: async (matches, during) => {
      let release!: () => void;
      released = new Promise((resolve) => (release = resolve));
      isHeld = matches;
      try {
        return await during();
      } finally {
        isHeld = never;
        release();
      }
    },
  };
}
