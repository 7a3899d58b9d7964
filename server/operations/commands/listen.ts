import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { array, is, string, type } from 'superstruct';
import { EVENT_TYPES } from '../../../shared/wire/event.ts';
import { signWebhook } from '../../../shared/webhooks.ts';
import { parseUrl } from '../../../shared/url.ts';
import { isConfidential, keyPairInEnv } from '../../base/config/env.ts';
import { failureOf } from '../../base/errors.ts';
import type { KeyPair } from '../../merchants/keys.ts';
import { type Command, command, type CommandContext, option } from './command.ts';

const DEFAULT_SERVICE_URL = 'http://localhost:4000';

const POLL_MS = 1_000;
const MAX_RETRY_MS = 10_000;
const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 200;

/** Follows the events of a sandbox, for a developer's machine. */
export const listenCommands: Record<string, Command> = {
  listen: {
    ...command(
      '[--forward-to URL] [--service-url URL] [--type T]...',
      { 'forward-to': option.text, 'service-url': option.text, type: { ...option.list, ...option.choice(EVENT_TYPES) } },
      async (values, context) => {
        const target = values['forward-to'] === undefined ? undefined : urlOption('--forward-to', values['forward-to']);
        const service = urlOption('--service-url', values['service-url'] ?? DEFAULT_SERVICE_URL);
        if (!isConfidential(service, 'sandbox')) {
          throw new Error('--service-url: expected an https address, or http to this machine, because keys are sent to it');
        }
        await listen({ context, service, target, types: new Set<string>(values.type), keyPair: keyPairInEnv(context.env) });
      },
    ),
    help: [
      '',
      'Prints the events of a sandbox until Ctrl-C, and posts them to a URL of this machine, signed like those of a webhook.',
      'The environment variables KEY and SECRET are the key pair; --service-url is http://localhost:4000 by default.',
    ],
  },
};

function urlOption(name: string, value: string): URL {
  const url = parseUrl(value);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Error(`${name}: expected an http or https URL, but received "${value}"`);
}

interface Listening {
  context: CommandContext;
  service: URL;
  target: URL | undefined;
  /** Empty: all. */
  types: ReadonlySet<string>;
  keyPair: KeyPair;
}

/** Follows the list of events until SIGINT or SIGTERM. */
async function listen({ context, service, target, types, keyPair }: Listening): Promise<void> {
  if (!keyPair.apiKey.startsWith('ft_sandbox_')) throw new Error('KEY: expected the API key of a sandbox');
  const { print, log } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const secret = listenSecret(keyPair);
  try {
    const nextEvents = await followEvents(eventRequests(service, keyPair, signal), signal, log);
    log(`Waiting for events of ${service.origin}${target ? `, which are posted to ${target.origin}${target.pathname}` : ''}.`);
    if (target) log(`Verify them with the secret ${secret}, which is always the same for this key pair.`);
    while (!signal.aborted) {
      const page = await nextEvents();
      for (const event of page.filter(({ type: each }) => types.size === 0 || types.has(each))) {
        const outcome = target ? `  ${await forward(event, target, secret, signal)}` : '';
        if (!signal.aborted) print(`${event.createdAt.slice(0, 19)}Z  ${event.type}  ${event.id}${outcome}`);
      }
      if (page.length < PAGE_SIZE) await delay(POLL_MS, undefined, { signal });
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Returns the secret that signs forwarded events. It is derived from the key pair, so that it can be in a configuration. */
function listenSecret({ secret }: KeyPair): string {
  return `whsec_${createHmac('sha256', secret).update('fairterm listen').digest('base64')}`;
}

/** An event as the service sent it. Other fields remain. */
const AnyEvent = type({ id: string(), type: string(), createdAt: string() });
type AnyEvent = (typeof AnyEvent)['TYPE'];
const Page = type({ events: array(AnyEvent) });

/** Returns a response, or the description of a failure after which the request may succeed later. */
type Get = (query: string) => Promise<{ headers: Headers; body: unknown } | string>;

/** Creates the requests of the list of events. They throw an error that the service rejected them. */
function eventRequests(service: URL, { apiKey, secret }: KeyPair, signal: AbortSignal): Get {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  return async (query) => {
    try {
      const response = await fetch(`${service.href.replace(/\/$/, '')}/events?${query}`, {
        headers: { authorization },
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const { status, ok, headers } = response;
      // The error page of a proxy is not JSON.
      const body: unknown = await response.json().catch(() => undefined);
      if (ok) return { headers, body };
      if (status === 401) throw new RejectedError('KEY, SECRET: expected a key pair of this sandbox');
      if (status < 500 && status !== 429 && status !== 408) throw new RejectedError(`The service responded with ${status}`);
      return `The service responded with ${status}`;
    } catch (thrown) {
      if (thrown instanceof RejectedError) throw thrown;
      return `The service does not respond (${failureOf(causeOf(thrown))})`;
    }
  };
}

/**
 * Starts to follow the list of events at the time of the service, which may differ from that of this machine. Waits while the service does
 * not respond.
 *
 * @returns A function that returns the next events; an empty list if the service has no new ones.
 * @throws Error - the service rejected a request; or the reason of the signal.
 */
async function followEvents(get: Get, signal: AbortSignal, log: CommandContext['log']): Promise<() => Promise<AnyEvent[]>> {
  const getPatiently = async (query: string) => {
    for (let failures = 0; ; failures += 1) {
      const problem = await get(query);
      if (typeof problem !== 'string') return problem;
      signal.throwIfAborted();
      if (failures === 0) log(`${problem}; trying again.`);
      await delay(Math.min(POLL_MS * 2 ** failures, MAX_RETRY_MS), undefined, { signal });
    }
  };
  const { headers } = await getPatiently('limit=1');
  const startedAt = new Date(headers.get('date') ?? Date.now()).toISOString();
  let position = new URLSearchParams({ 'createdAt[gte]': startedAt }).toString();

  return async () => {
    const { body } = await getPatiently(`limit=${PAGE_SIZE}&${position}`);
    if (!is(body, Page)) throw new Error('--service-url: expected the address of a Fairterm service');
    const last = body.events.at(-1);
    if (last) position = `after=${last.id}`;
    return body.events;
  };
}

/** The service rejected a request, which is not repeated. */
class RejectedError extends Error {}

/** `fetch` throws an error whose cause has the code. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
}

/** Posts an event once. Returns the outcome for people. */
async function forward(event: AnyEvent, target: URL, secret: string, signal: AbortSignal): Promise<string> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  try {
    const signed = await signWebhook(event.id, Math.floor(Date.now() / 1_000), body, [secret]);
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Fairterm', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
  } catch (thrown) {
    return `failed: ${failureOf(causeOf(thrown))}`;
  }
}
