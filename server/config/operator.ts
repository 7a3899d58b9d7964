import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';

/** The company that runs the service, as pages, e-mails and agreements name it. */
export interface Operator {
  name: string;
  address: string;
  phone: string;
  email: string;
}

const SANDBOX: Operator = {
  name: 'Fairterm Pay',
  address: '5 Example Way, Wilmington, DE 19801',
  phone: '1-800-555-0199',
  email: 'help@fairterm.example',
};

const VARIABLES = [
  { field: 'name', name: 'OPERATOR_NAME', pattern: /^\S.{0,119}$/, expected: 'a name' },
  { field: 'address', name: 'OPERATOR_ADDRESS', pattern: /^\S.{0,299}$/, expected: 'a postal address on one line' },
  { field: 'phone', name: 'OPERATOR_PHONE', pattern: /^[+(]?\d[\d ().-]{1,37}\d$/, expected: 'a phone number' },
  { field: 'email', name: 'OPERATOR_EMAIL', pattern: /^[^\s@<>]+@[^\s@<>]+$/, expected: 'an e-mail address' },
] as const;

/**
 * Reads the operator. Without variables, it is an example in the sandbox, and undefined in live mode.
 *
 * @throws Error - some of the variables are missing or invalid.
 */
export function operatorIn(env: Env, mode: Mode): Operator | undefined {
  if (VARIABLES.every(({ name }) => !env[name])) return mode === 'sandbox' ? SANDBOX : undefined;
  const operator: Operator = { name: '', address: '', phone: '', email: '' };
  for (const { field, name, pattern, expected } of VARIABLES) {
    const value = env[name] ?? '';
    if (!pattern.test(value)) throw new Error(`${name}: expected ${expected}, but received ${value ? `"${value}"` : 'no value'}`);
    operator[field] = value;
  }
  return operator;
}

/** Returns the operator, which a running service requires. @throws Error - a live service has none. */
export function requireOperator({ operator }: { operator?: Operator | undefined }): Operator {
  if (operator) return operator;
  throw new Error(
    `OPERATOR_NAME: expected ${VARIABLES.map(({ name }) => name).join(', ')} for a live service, but received no value`,
  );
}
