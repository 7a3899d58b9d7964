/** Requests as a browser makes them, and as a bad connection leaves them. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { atTheEnd } from './cleanup.ts';

export interface Answered {
  url: string;
  method: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method?: 'GET' | 'POST';
  /** A form's names and values. */
  form?: readonly (readonly [name: string, value: string])[];
  headers?: Record<string, string>;
  /** The connection is gone once all is sent (`sent`), or when the answer begins (`answered`): nothing of it is seen. */
  cut?: 'sent' | 'answered' | undefined;
}

export interface Connection {
  /** @returns The answer, or undefined when the connection was cut. @throws Error - the service broke the connection. */
  send(url: string, sending?: Sending): Promise<Answered | undefined>;
}

/** Keeps its connections open from one request to the next, as browsers do. */
export function givenConnection(): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  atTheEnd(() => agent.destroy());
  return { send: (url, sending = {}) => sendBy(agent, url, sending) };
}

function sendBy(agent: Agent, url: string, { method = 'GET', form, headers = {}, cut }: Sending): Promise<Answered | undefined> {
  const body = form && new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString();
  const typed = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers: { accept: 'text/html', ...typed, ...headers } });
    const drop = (): void => {
      outgoing.destroy();
      resolve(undefined);
    };
    outgoing.on('error', (error) => (cut ? resolve(undefined) : reject(error)));
    outgoing.on('response', (response) => {
      if (cut) return drop();
      textOf(response).then(
        (text) => resolve({ url, method, status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
    });
    outgoing.end(body, () => {
      if (cut === 'sent') setImmediate(drop);
    });
  });
}
