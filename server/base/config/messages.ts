import { parseUrl } from '../../../shared/url.ts';
import { type Env, isLoopback } from './env.ts';

/** A server that sends messages, and their sender. */
export interface MessageServer {
  url: string;
  from: string;
}

/** Reads the e-mail server; undefined if none is configured. @throws Error - as `serverIn`. */
export function emailIn(env: Env): MessageServer | undefined {
  return serverIn(env, EMAIL);
}

/** Reads the text message service; undefined if none is configured. @throws Error - as `serverIn`. */
export function textIn(env: Env): MessageServer | undefined {
  return serverIn(env, TEXT);
}

/** Two variables that must be set together. */
interface Pair {
  urlName: string;
  isUrl(url: URL): boolean;
  urlExpected: string;
  fromName: string;
  from: RegExp;
  fromExpected: string;
}

const EMAIL: Pair = {
  urlName: 'SMTP_URL',
  isUrl: ({ protocol, hostname }) => /^smtps?:$/.test(protocol) && hostname !== '',
  urlExpected: 'an address such as smtps://user:password@host:465',
  fromName: 'MAIL_FROM',
  from: /^[^\s@<>]+@[^\s@<>]+$|^[^<>@\r\n]+ <[^\s@<>]+@[^\s@<>]+>$/,
  fromExpected: 'an address such as mail@pay.example or Pay <mail@pay.example>',
};

const TEXT: Pair = {
  urlName: 'TEXT_URL',
  isUrl: ({ protocol, hostname }) => protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)),
  urlExpected: 'an https address such as https://account:token@host/path',
  fromName: 'TEXT_FROM',
  from: /^\+?\d{3,15}$/,
  fromExpected: 'a number such as +15550100100',
};

/** @throws Error - a variable is missing or invalid; the message contains no URL, because a URL can contain a password. */
function serverIn(env: Env, pair: Pair): MessageServer | undefined {
  const { urlName, fromName } = pair;
  const url = env[urlName] || undefined;
  const from = env[fromName] || undefined;
  if (url === undefined && from === undefined) return undefined;
  const parsed = url === undefined ? undefined : parseUrl(url);
  if (url === undefined || !parsed || !pair.isUrl(parsed)) {
    throw new Error(`${urlName}: expected ${pair.urlExpected}${url === undefined ? `, because ${fromName} is set` : ''}`);
  }
  if (from === undefined || !pair.from.test(from)) throw new Error(`${fromName}: expected ${pair.fromExpected}`);
  return { url, from };
}
