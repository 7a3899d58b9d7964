/** An e-mail address as a URI, RFC 6068. */
export function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email)}`;
}

/** A US phone number of ten digits as a URI, RFC 3966. */
export function telOf(phone: string): string {
  return `tel:+1${phone}`;
}

/** Where what is to be done with the card of a transaction goes. */
export function cardUrl(transactionId: string): string {
  return `card:${transactionId}`;
}

/** The e-mail address, or the phone number as `+1` and ten digits, behind a URI of the above. */
export function personOf(url: string): string {
  return url.startsWith('mailto:') ? decodeURIComponent(url.slice('mailto:'.length)) : url.slice('tel:'.length);
}

/** An address without the user and the password that may stand in it, and the header that says them instead, RFC 7617. */
export function withoutUserinfo(url: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address, headers: {} };
  address.username = address.password = '';
  const pair = [username, password].map(decoded).join(':');
  return { address, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** A percent that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Where something goes, for an operator's eyes: enough to recognise it, too little to reach a person by it, and no query, which
 * may hold a receiver's secrets.
 */
export function shortened(url: string): string {
  if (url.startsWith('tel:')) return `…${url.slice(-4)}`;
  if (url.startsWith('mailto:')) {
    const email = personOf(url);
    const [first = ''] = email;
    return `${first}…${email.slice(email.lastIndexOf('@'))}`;
  }
  if (url.startsWith('card:')) return url;
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search && '?…');
}
