import type { Mode } from '../mode.ts';

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Returns the key pair of a merchant. @throws Error - a variable is not set. */
export function keyPairInEnv({ KEY, SECRET }: Env): { apiKey: string; secret: string } {
  if (KEY && SECRET) return { apiKey: KEY, secret: SECRET };
  throw new Error('KEY, SECRET: expected the API key and the secret of a key pair');
}

/** Returns true if requests to the URL cannot be read in transit: they are encrypted or, in a sandbox, stay on this machine. */
export function isConfidential({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (protocol === 'http:' && mode === 'sandbox' && isLoopback(hostname));
}

/** Describes the rule of `isConfidential` for an error message. */
export function confidentialUrlDescription(mode: Mode): string {
  return `an https address${mode === 'sandbox' ? ' (or http to this machine)' : ''}`;
}

/** Returns true if a host name or an IP address, with or without brackets, is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
