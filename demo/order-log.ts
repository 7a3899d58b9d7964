import { Fairterm, type FairtermOptions } from '@fairterm/client';

/** An entry of the log of an order. */
export interface LogEntry {
  readonly at: Date;
  readonly text: string;
  /** The body of a webhook, or the bodies of a request and its response. */
  readonly details?: string;
}

const MAX_ENTRIES = 40;
const MAX_DETAILS_LENGTH = 4_000;

export function createEntry(text: string, details = ''): LogEntry {
  return { at: new Date(), text, details: details.slice(0, MAX_DETAILS_LENGTH) };
}

/** Adds entries to a log, which keeps the newest 40. An entry with the text of an earlier one, such as a repeated webhook, is skipped. */
export function addEntries(log: LogEntry[], ...entries: LogEntry[]): void {
  for (const entry of entries) if (!log.some(({ text }) => text === entry.text)) log.push(entry);
  log.splice(0, log.length - MAX_ENTRIES);
}

/** Creates a client that adds its requests to a log with their responses, without the key pair and the contacts of the buyer. */
export function createLoggingClient(options: FairtermOptions, log: LogEntry[]): Fairterm {
  const send = options.runtime?.fetch ?? fetch;
  const sendAndLog = async (url: string, init: RequestInit) => {
    const request = `${init.method} ${new URL(url).pathname}`;
    const key = new Headers(init.headers).get('idempotency-key');
    const lines = [key ? `Idempotency-Key: ${key}` : '', typeof init.body === 'string' ? withoutContacts(init.body) : ''];
    try {
      const response = await send(url, init);
      const body = withoutContacts(await response.clone().text());
      log.push(createEntry(`${request} responded ${response.status}`, [...lines, body].filter(Boolean).join('\n\n')));
      return response;
    } catch (error) {
      log.push(createEntry(`${request} had no response`, lines.filter(Boolean).join('\n\n')));
      throw error;
    } finally {
      addEntries(log);
    }
  };
  return new Fairterm({ ...options, runtime: { ...options.runtime, fetch: sendAndLog } });
}

/** Formats JSON without personal data. Returns an empty string for other text. */
export function withoutContacts(json: string): string {
  try {
    const value: unknown = JSON.parse(json, (name, content: unknown) => (name.endsWith('Contact') ? undefined : content));
    return JSON.stringify(value, null, 2);
  } catch {
    return '';
  }
}
