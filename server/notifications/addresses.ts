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
