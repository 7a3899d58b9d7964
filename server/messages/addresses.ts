import { domainToASCII } from 'node:url';

/** An e-mail address as a URI, RFC 6068. */
export function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email)}`;
}

/** A US phone number of ten digits as a URI, RFC 3966. */
export function telOf(phone: string): string {
  return `tel:+1${phone}`;
}

/**
 * Returns an e-mail address or a phone number as it is counted: addresses that mail servers deliver to one mailbox are equal. Messages
 * are sent to the address as it was typed.
 *
 * Letter case, full-width letters and the notation of international domain names are ignored, and so is `+suffix`, which most mail
 * servers ignore. Gmail also ignores periods.
 */
export function recipientKey(to: string): string {
  const key = to.normalize('NFKC').trim().toLowerCase();
  const at = key.lastIndexOf('@');
  if (at === -1) return key;
  const domain = domainToASCII(key.slice(at + 1)) || key.slice(at + 1);
  const mailbox = key.slice(0, at).replace(/(?<=.)\+.*/s, '');
  return GMAIL.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}

const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** The address of card operations: the transaction whose card they change. */
export function cardUrl(transactionId: string): string {
  return `card:${transactionId}`;
}

/** The address of events for the lender: the application that they are about. */
export function lenderUrl(applicationId: string): string {
  return `lender:${applicationId}`;
}

/** The address of events for a merchant: the webhook that receives them. */
export function webhookUrl(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** Returns the e-mail address, or the phone number as `+1` and ten digits, of a `mailto:` or `tel:` URI. */
export function recipientOf(url: string): string {
  return url.startsWith('mailto:') ? decodeURIComponent(url.slice('mailto:'.length)) : url.slice('tel:'.length);
}

/** Moves the user and password of a URL to an `Authorization` header. RFC 7617. */
export function splitUserinfo(url: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address, headers: {} };
  address.username = address.password = '';
  const pair = [username, password].map(decoded).join(':');
  return { address, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** Decodes percent escapes; returns text with an invalid escape as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Masks an address for operators. Personal addresses are reduced to a recognizable part; URLs lose their query, which may contain
 * secrets.
 */
export function maskedAddress(url: string): string {
  if (url.startsWith('tel:')) return `…${url.slice(-4)}`;
  if (url.startsWith('mailto:')) {
    const email = recipientOf(url);
    const [first = ''] = email;
    return `${first}…${email.slice(email.lastIndexOf('@'))}`;
  }
  if (/^(card|lender|webhook):/.test(url)) return url;
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search && '?…');
}
