import { isLoopback } from '../loopback.ts';
import type { Mode } from '../mode.ts';

/** The variables of an environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Description and bounds of an integer variable. */
export interface WholeNumber {
  /** `a number of days` */
  what: string;
  least: number;
  most: number;
}

/** @throws Error - the value is not a whole number, or out of range. */
export function wholeIn(env: Env, name: string, fallback: number, { what, least, most }: WholeNumber): number {
  const value = env[name];
  if (!value) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new Error(`${name}: expected ${what} from ${least} to ${most}, but received "${value}"`);
}

/** Returns true if requests to the URL cannot be read in transit: they are encrypted or, in a sandbox, stay on this machine. */
export function isConfidential({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (protocol === 'http:' && mode === 'sandbox' && isLoopback(hostname));
}

/** Describes the rule of `isConfidential` for an error message. */
export function confidentialAddress(mode: Mode): string {
  return `an https address${mode === 'sandbox' ? ' (or http to this machine)' : ''}`;
}
