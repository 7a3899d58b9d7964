import { isLoopback } from '../loopback.ts';
import type { Mode } from '../mode.ts';

/** The variables of an environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a variable that is a whole number stands for, and its bounds. */
export interface WholeNumber {
  /** `a number of days` */
  what: string;
  least: number;
  most: number;
}

/** @throws Error - it is none, or beyond the bounds. */
export function wholeIn(env: Env, name: string, fallback: number, { what, least, most }: WholeNumber): number {
  const value = env[name];
  if (!value) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new Error(`${name}: expected ${what} from ${least} to ${most}, but received "${value}"`);
}

/** Whether nobody on the way reads what is sent there: it is encrypted or, as a sandbox may, stays on this machine. */
export function isConfidential({ protocol, hostname }: URL, mode: Mode): boolean {
  return protocol === 'https:' || (protocol === 'http:' && mode === 'sandbox' && isLoopback(hostname));
}

/** How `isConfidential` is told to an operator. */
export function confidentialAddress(mode: Mode): string {
  return `an https address${mode === 'sandbox' ? ' (or http to this machine)' : ''}`;
}
