import { parsedUrl } from '../url.ts';

/**
 * Where the service is, without a slash at the end; it may have a path.
 *
 * @throws TypeError - it is no address, or one that keys must not be sent to. The message never repeats it: a password
 *   may stand in it.
 */
export function serviceAddress(serviceUrl: string): string {
  const address = parsedUrl(serviceUrl);
  if (!address) throw new TypeError('Expected serviceUrl to be an address such as https://financing.example');
  const { protocol, hostname, username, password, search, hash, href } = address;
  if (username !== '' || password !== '') throw new TypeError('Expected serviceUrl without a user name and a password');
  if (search !== '' || hash !== '') throw new TypeError('Expected serviceUrl without a query and a fragment');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new TypeError(
      'Expected serviceUrl to begin with https://, or to lead to this very machine: the keys would travel in the open',
    );
  }
  return href.replace(/\/+$/, '');
}

/** `hostname` as `URL` writes it: lower-case, an IPv4 address as four numbers, an IPv6 address in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * The Authorization header of a key pair.
 *
 * @throws TypeError - it cannot be a key pair, or its halves look swapped. The message never repeats a half.
 */
export function basicAuthorization(apiKey: string, secret: string): string {
  for (const [name, value] of Object.entries({ apiKey, secret })) {
    const isWord = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
    if (!isWord) throw new TypeError(`Expected ${name} to be a word of ASCII characters`);
  }
  if (apiKey.includes(':')) throw new TypeError('Expected apiKey without a colon');
  if (/^ft_[a-z]+_secret_/.test(apiKey) || /^ft_[a-z]+_key_/.test(secret)) {
    throw new TypeError('The key pair looks swapped: apiKey is the public half, ft_…_key_…, and secret the other, ft_…_secret_…');
  }
  if (secret.startsWith('whsec_')) throw new TypeError('Expected the secret of the key pair, but received the one of callbacks');
  return `Basic ${btoa(`${apiKey}:${secret}`)}`;
}

/**
 * A path of the service; each part is escaped.
 *
 * @throws TypeError - a part that addresses do not keep as a part. Ids may come from a buyer's browser: `..` in place of
 *   one would lead to another path.
 */
export function pathOf(parts: readonly string[]): string {
  for (const part of parts) {
    if (typeof part !== 'string' || /^\.{0,2}$/.test(part))
      throw new TypeError('Expected an id, which is neither empty nor dots');
  }
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}
