import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`./certificate/${name}`, import.meta.url));

/** A certificate for localhost that vouches for itself until the year 2126, and its key. They protect nothing. */
export const certificate = {
  certFile: file('cert.pem'),
  keyFile: file('key.pem'),
  /** A key of no certificate. */
  otherKeyFile: file('other-key.pem'),
  /** For clients that shall trust it. */
  ca: readFileSync(file('cert.pem')),
};
