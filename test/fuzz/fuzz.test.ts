/**
 * Sends generated requests and bytes to a service and checks every response.
 *
 * `npm test` sends a few thousand inputs from a fixed seed to the service on one engine. `npm run fuzz` sends two million and also checks that memory does not grow.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../server/http/openapi/document.ts';
import { median } from '../bench/figures.ts';
import { defaultEngine, type Engine } from '../support/databases.ts';
import { buildProject } from '../support/process.ts';
import { type Failure, failureOf } from './checks.ts';
import { type Exchange, PersistentConnection, sendBytes } from './client.ts';
import { type FuzzInput, Inputs, type Targets } from './inputs.ts';
import { type FuzzedService, startFuzzedService } from './service.ts';

const { FUZZ_COUNT, FUZZ_SEED = '20261122', FUZZ_ENGINE = defaultEngine, FUZZ_ONLY, FUZZ_MINUTES } = process.env;
const seed = Number(FUZZ_SEED);
const engines = (['sqlite', 'postgres'] as const).filter((engine) => FUZZ_ENGINE === 'both' || FUZZ_ENGINE === engine);
/** Inputs for each engine. */
const count = FUZZ_COUNT === undefined ? 2_000 : Math.ceil(Number(FUZZ_COUNT) / engines.length);
const isCampaign = FUZZ_COUNT !== undefined;
/** For each engine. */
const limitMs = Number(FUZZ_MINUTES ?? Infinity) * 60_000;

const CONNECTIONS = 12;
const BATCH = 8;
/** Memory is measured after each of them. */
const WINDOWS = 20;
const MAX_REPORTED = 40;

describe('Generated requests and bytes', () => {
  it.each(engines)(
    'have responses that the OpenAPI document describes, without internal errors, data of other tenants or growing memory (%s)',
    async (engine) => {
      await buildProject();
      const report = await fuzz(engine);
      expect(report).toEqual([]);
    },
    isCampaign ? 6 * 3_600_000 : 300_000,
  );
});

async function fuzz(engine: Engine): Promise<string[]> {
  const service = await startFuzzedService(engine);
  const { targets, url } = service;
  const inputs = new Inputs(openApiDocument({ mode: 'sandbox', publicUrl: url, version: '0' }), targets, seed);
  const foreignIds = new RegExp(targets.foreign.join('|'));
  const failures = new Map<string, { failure: Failure; count: number }>();
  const statuses = new Map<number, number>();
  const memory: { heapUsed: number; rss: number }[] = [];
  const state = { hasEnded: false };
  void service.ended.then(() => (state.hasEnded = true));

  const check = (exchange: Exchange): void => {
    for (const response of exchange.responses) {
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 200) rememberIds(targets, response.text);
    }
    const failure = failureOf(url, exchange, foreignIds);
    if (!failure) return;
    const key = `${exchange.input.title.split(',')[0]}: ${failure.reason}`;
    const known = failures.get(key);
    if (known) known.count += 1;
    else {
      failures.set(key, { failure, count: 1 });
      if (isCampaign) console.log(described(engine, key, 1, failure));
    }
  };

  const first = FUZZ_ONLY === undefined ? 0 : Number(FUZZ_ONLY);
  const end = FUZZ_ONLY === undefined ? count : first + 1;
  const startedAt = performance.now();
  let next = first;
  /** Sends inputs until the index or the time is reached. */
  const sendUntil = (until: number, deadlineMs: number) =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, lane) => {
        const localAddress = `127.0.0.${lane + 2}`;
        const connection = new PersistentConnection(service.port, localAddress);
        while (next < until && performance.now() < deadlineMs && !state.hasEnded && failures.size < MAX_REPORTED) {
          const batch: FuzzInput[] = [];
          const others: FuzzInput[] = [];
          for (; batch.length < BATCH && next < until; next += 1) {
            const input = inputs.at(next);
            (input.request ? batch : others).push(input);
          }
          const bytes = others.map((input) => sendBytes(service.port, localAddress, input));
          for (const input of batch) check(await connection.send(input));
          for (const exchange of await Promise.all(bytes)) check(exchange);
        }
        connection.close();
      }),
    );
  const stalled = isCampaign && FUZZ_ONLY === undefined ? sendStalled(service) : undefined;
  const windows = isCampaign ? WINDOWS : 1;
  for (let window = 1; window <= windows; window += 1) {
    const share = window / windows;
    await sendUntil(first + Math.ceil((end - first) * share), startedAt + limitMs * share);
    if (state.hasEnded) break;
    memory.push(await service.memory());
    if (isCampaign) printProgress(engine, next - first, startedAt, memory.at(-1)!);
  }
  const perSecond = Math.round(((next - first) / (performance.now() - startedAt)) * 1_000);
  const summary = [...statuses].toSorted(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`);
  if (isCampaign) console.log(`${engine}: ${next - first} inputs, ${perSecond} per second; responses ${summary.join(', ')}`);
  // The log is written with a delay.
  await delay(300);
  return [
    ...[...failures].map(([key, { failure, count: times }]) => described(engine, key, times, failure)),
    ...service.errors.slice(0, 10).map((line) => `logged: ${line}`),
    ...(state.hasEnded ? [`the process ended after input ${next}`] : []),
    ...((await stalled) ?? []),
    ...(isCampaign ? growth(memory) : []),
  ];
}

/** Adds the ids of created carts and completed purchases to the targets, which would otherwise all be canceled or expired soon. */
function rememberIds({ carts, transactions }: Targets, text: string): void {
  const [, cart] = /^\{"id":"([\da-f-]{36})","merchantId"/.exec(text) ?? [];
  const [, transaction] = /^\{"transactionId":"([\da-f-]{36})"\}$/.exec(text) ?? [];
  for (const [list, id] of [
    [carts, cart],
    [transactions, transaction],
  ] as const) {
    if (!id) continue;
    list.push(id);
    if (list.length > 64) list.shift();
  }
}

/** Connections that send an incomplete request and wait must be closed by the service. */
async function sendStalled({ port }: FuzzedService): Promise<string[]> {
  const starts = ['', 'GET', 'GET / HTTP/1.1\r\nHost: a\r\n', 'POST /carts HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'];
  const { connect } = await import('node:net');
  const reports = starts.map(
    (start) =>
      new Promise<string[]>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.99' });
        const timeout = setTimeout(() => {
          socket.destroy();
          resolve([`a connection that sent ${JSON.stringify(start)} stays open`]);
        }, 120_000);
        socket.on('error', () => undefined);
        socket.on('data', () => undefined);
        socket.on('close', () => {
          clearTimeout(timeout);
          resolve([]);
        });
        socket.write(start);
      }),
  );
  return (await Promise.all(reports)).flat();
}

function printProgress(
  engine: Engine,
  sent: number,
  startedAt: number,
  { heapUsed, rss }: { heapUsed: number; rss: number },
): void {
  const seconds = (performance.now() - startedAt) / 1_000;
  const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  console.log(
    `${engine}: ${sent} inputs in ${seconds.toFixed(0)} s, ${Math.round(sent / seconds)} per second, heap ${megabytes(heapUsed)}, process ${megabytes(rss)}`,
  );
}

/**
 * Returns whether memory grows: the median of the last five windows is compared with that of five after the first quarter, in which
 * caches, compiled code and the pages of the database fill. The heap may grow by 4 MiB. The process may grow by 96 MiB: it needs
 * 50 MiB more at twice the requests per second, for objects that are not collected yet, and the allocator returns memory late.
 */
function growth(memory: readonly { heapUsed: number; rss: number }[]): string[] {
  const early = memory.slice(WINDOWS / 4, WINDOWS / 2);
  const late = memory.slice(-5);
  if (late.length < 5 || early.length < 5) return [];
  const allowed = { heapUsed: 4 * 1_048_576, rss: 96 * 1_048_576 };
  return (['heapUsed', 'rss'] as const).flatMap((kind) => {
    const grownBy = median(late.map((one) => one[kind])) - median(early.map((one) => one[kind]));
    return grownBy > allowed[kind] ? [`${kind} grew by ${(grownBy / 1_048_576).toFixed(1)} MiB`] : [];
  });
}

function described(engine: Engine, key: string, times: number, { exchange: { input, responses } }: Failure): string {
  const shown = (text: string) => JSON.stringify(text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text);
  const sent = Buffer.concat(input.pieces).toString('latin1');
  const received = responses.map(({ status, text }) => `${status} ${text.slice(0, 400)}`).join(' | ');
  return [
    `${key} (${times} times)`,
    `  input:    ${input.title}`,
    `  repeat:   npm run fuzz -- --seed ${seed} --engine ${engine} --only ${input.index}`,
    `  sent:     ${shown(sent)}`,
    `  received: ${shown(received)}`,
  ].join('\n');
}
