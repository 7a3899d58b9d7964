/** Processes whose connections a pooler in transaction mode passes on to a few of the server, without support for prepared statements. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { Database, Query } from '../../../server/db/database.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabaseUrl } from '../../support/databases.ts';
import { testKeys } from '../../support/data-keys.ts';

/** Returns a function that splits data into the messages of PostgreSQL: a type, and a length that includes itself. */
function splitMessages(onMessage: (type: string, message: Buffer) => unknown) {
  let rest: Buffer = Buffer.alloc(0);
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
      rest = rest.subarray(message.length);
      onMessage(String.fromCharCode(message[0]!), message);
    }
  };
}

function passwordMessage(password: string): Buffer {
  const message = Buffer.from(`p\0\0\0\0${password}\0`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}

interface ServerConnection {
  socket: Socket;
  /** The client whose database transaction or query it executes. */
  client?: Socket | undefined;
  isBusy: boolean;
}

/** Starts a pooler with connections to the server that take turns, each for one database transaction. Returns its URL. */
async function startPooler(serverUrl: string, size: number): Promise<string> {
  const { hostname, port, password } = new URL(serverUrl);
  const connections: ServerConnection[] = [];
  let greeting: Promise<Buffer> | undefined;
  let waiting: { client: Socket; messages: Buffer }[] = [];

  const sendWaiting = () => {
    const blocked = new Set<Socket>();
    waiting = waiting.filter(({ client, messages }) => {
      if (blocked.has(client)) return true;
      blocked.add(client);
      const connection = connections.find((each) => each.client === client) ?? connections.find((each) => !each.client);
      if (!connection || connection.isBusy) return true;
      connections.push(...connections.splice(connections.indexOf(connection), 1));
      Object.assign(connection, { client, isBusy: true });
      connection.socket.write(messages);
      return false;
    });
  };
  /** Resolves to what the server responds to the first message of a client. */
  const open = async (startup: Buffer): Promise<Buffer> => {
    const socket = connect(Number(port), hostname);
    onCleanup(() => void socket.destroy());
    const connection: ServerConnection = { socket, isBusy: false };
    const received: Buffer[] = [];
    await new Promise<void>((resolve) => {
      const onMessage = (type: string, message: Buffer) => {
        const isReady = type === 'Z';
        // The server requests a password, which the clients of the pooler need not send.
        if (type === 'R' && message.readUInt32BE(5) === 3) return socket.write(passwordMessage(password));
        if (!connections.includes(connection)) {
          received.push(message);
          if (!isReady) return;
          connections.push(connection);
          return resolve();
        }
        connection.client?.write(message);
        if (!isReady) return;
        connection.isBusy = false;
        if (message.at(-1) === 'I'.charCodeAt(0)) connection.client = undefined;
        sendWaiting();
      };
      socket.on('data', splitMessages(onMessage));
      socket.write(startup);
    });
    return Buffer.concat(received);
  };

  const server = createServer((client) => {
    onCleanup(() => void client.destroy());
    let unsent: Buffer[] = [];
    const receive = splitMessages((type, message) => {
      if (type === 'X') return;
      unsent.push(message);
      if (type !== 'S' && type !== 'Q') return;
      waiting.push({ client, messages: Buffer.concat(unsent) });
      unsent = [];
      sendWaiting();
    });
    client.once('data', (startup) => {
      greeting ??= Promise.all(Array.from({ length: size }, () => open(startup))).then(([first]) => first!);
      void greeting.then((message) => client.on('data', receive).write(message));
    });
  }).listen(0, '127.0.0.1');
  onCleanup(() => void server.close());
  await once(server, 'listening');
  const pooled = new URL(serverUrl);
  pooled.port = String((server.address() as AddressInfo).port);
  return pooled.href;
}

/** Opens a database as another process does, with modules of its own. */
async function openInOwnProcess(url: string): Promise<Database> {
  vi.resetModules();
  const { openPostgres } = await import('../../../server/db/postgres.ts');
  const database = openPostgres(url, testKeys);
  onCleanup(() => database.close());
  return database;
}

const multiplied = async (query: Query, n: number) =>
  (await sql<{ n: number }>`select ${n}::integer * 100 as n`.execute(query)).rows[0]!.n;
const incremented = async (query: Query, n: number) =>
  (await sql<{ n: number }>`select ${n}::integer + 1 as n`.execute(query)).rows[0]!.n;

it.each([1, 2])(
  'processes that execute statements in different orders each receive their own results through a pooler with %i connection(s)',
  async (size) => {
    const url = await startPooler(await createDatabaseUrl('postgres'), size);
    const first = await openInOwnProcess(url);
    const second = await openInOwnProcess(url);
    const results: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      // One after the other in an order in which each process is passed on to each connection.
      results.push(await multiplied(first.query, 7), await incremented(second.query, 7), await incremented(second.query, 7));
      results.push(await incremented(first.query, 7), await multiplied(second.query, 7), await multiplied(first.query, 7));
      results.push(await first.write((tx) => incremented(tx, 8)), await second.write((tx) => multiplied(tx, 8)));
    }
    const expected = [700, 8, 8, 8, 700, 700, 9, 800];
    expect(results).toEqual([...expected, ...expected, ...expected]);
  },
);

it('a database transaction is rolled back as a whole through a pooler', async () => {
  const url = await startPooler(await createDatabaseUrl('postgres'), 2);
  const database = await openInOwnProcess(url);
  await database.write((tx) => sql`create table counters (id integer primary key)`.execute(tx));
  for (let id = 0; id < 8; id += 1) {
    const write = database.write(async (tx) => {
      await sql`insert into counters values (${id})`.execute(tx);
      if (id % 4 < 2) throw new Error('rolled back');
    });
    await write.catch(() => undefined);
  }
  const { rows } = await sql<{ id: number }>`select id from counters order by id`.execute(database.query);
  expect(rows).toEqual([{ id: 2 }, { id: 3 }, { id: 6 }, { id: 7 }]);
});
