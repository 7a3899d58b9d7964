import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onCleanup } from '../../support/cleanup.ts';

/** An e-mail as received. */
export interface ReceivedEmail {
  from: string;
  to: string[];
  /** Unfolded header values by lower-case name. */
  headers: Record<string, string>;
  /** The whole message as sent in DATA. */
  raw: string;
}

export interface MailServer {
  url: string;
  emails: ReceivedEmail[];
}

/** Starts an SMTP server without TLS. `options` of smtp-server override the defaults, for example to reject messages. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const emails: ReceivedEmail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onData: (stream, { envelope }, callback) => {
      void (async () => {
        const raw = await text(stream);
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        emails.push({ from, to: envelope.rcptTo.map(({ address }) => address), headers: headersIn(raw), raw });
        callback();
      })();
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onCleanup(() => new Promise<void>((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, emails };
}

/** Starts a TCP server that `onConnection` controls, for protocol errors. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<{ url: string; connections: Socket[] }> {
  const connections: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    connections.push(socket);
    socket.resume();
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}

function headersIn(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return Object.fromEntries(
    head
      .split('\r\n')
      .map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 1).trim()]),
  );
}

/** Returns an SMTP error whose message contains personal data. */
export function rejection(responseCode: number): Error {
  return Object.assign(new Error('hidden: mailbox of ada@example.com'), { responseCode });
}
