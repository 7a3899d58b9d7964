import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** What came back over a socket. */
export interface RawAnswer {
  status: number;
  /** By name in lower case; those that came twice are joined by a comma. */
  headers: Record<string, string>;
  text: string;
  /** The body as JSON, undefined when it is none. */
  body: any;
}

export interface RawExchange {
  /** Every answer, in order, those of status 100 included. */
  answers: RawAnswer[];
  /** How the connection ended: `open` when the service has left it open. */
  end: 'open' | 'closed' | 'reset';
}

export interface RawOptions {
  /** Trusts this certificate, and speaks TLS. */
  tls?: { ca: Buffer } | undefined;
  host?: string;
  /** Until how many answers, those of status 100 not counted, have come. */
  count?: number;
  /** Sent once an answer of status 100 has come. */
  onContinue?: string | Buffer;
  /** The request was a HEAD: its answer has no body whatever its length says. */
  isHead?: boolean;
  timeoutMs?: number;
}

/** Sends bytes as they are and reads what comes back. */
export function exchange(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawExchange> {
  const { tls, host = '127.0.0.1', count = 1, onContinue, isHead = false, timeoutMs = 15_000 } = options;
  return new Promise((resolve, reject) => {
    const socket: Socket = tls
      ? connectTls({ port, host, servername: 'localhost', ca: tls.ca }, write)
      : connectPlain({ port, host }, write);
    let received = Buffer.alloc(0);
    let continued = false;
    const finish = (end: RawExchange['end']): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answers: answersIn(received, isHead).answers, end });
    };
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer in ${timeoutMs} ms, only: ${received.toString('latin1').slice(0, 300)}`));
    }, timeoutMs);
    function write(): void {
      for (const part of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes) socket.write(part);
    }
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const { answers } = answersIn(received, isHead);
      if (!continued && onContinue !== undefined && answers.some(({ status }) => status === 100)) {
        continued = true;
        socket.write(onContinue);
      }
      const final = answers.filter(({ status }) => status !== 100);
      // One that says it closes is read to its end.
      if (final.length >= count && final.at(-1)!.headers['connection'] !== 'close') finish('open');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received.length > 0 || error.code === 'ECONNRESET' ? finish('reset') : reject(error),
    );
  });
}

/** The whole answers at the beginning of `bytes`. */
function answersIn(bytes: Buffer, isHead: boolean): { answers: RawAnswer[] } {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return { answers };
    const [statusLine, ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      const value = line.slice(line.indexOf(':') + 1).trim();
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    const status = Number(statusLine!.split(' ')[1]);
    const length = isHead || status === 100 || status === 204 ? 0 : Number(headers['content-length'] ?? 0);
    const end = headEnd + 4 + length;
    if (rest.length < end) return { answers };
    const text = rest.subarray(headEnd + 4, end).toString('utf8');
    answers.push({ status, headers, text, body: jsonIn(text) });
    rest = rest.subarray(end);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
