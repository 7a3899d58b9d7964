import { fictionalPhoneIn, reservedDomainIn } from '../../../shared/fictional.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';

/** The company that runs the service, as pages, e-mails and agreements name it. */
export interface Operator {
  name: string;
  address: string;
  phone: string;
  email: string;
  /** The address of the people who resolve exceptions; they are only listed and logged without one. */
  alertsEmail?: string;
  /** Its own licenses, for example as a broker. */
  licenses?: readonly OperatorLicense[];
}

interface OperatorLicense {
  /** Two capital letters; null for a license of all states. */
  state: string | null;
  /** `California Financing Law broker license 60DBO-00000` */
  text: string;
}

const SANDBOX: Operator = {
  name: 'Fairterm Pay',
  address: '5 Example Way, Wilmington, DE 19801',
  phone: '1-800-555-0199',
  email: 'help@fairterm.example',
};

interface Variable {
  name: string;
  pattern: RegExp;
  expected: string;
}

const VARIABLES = [
  { field: 'name', name: 'OPERATOR_NAME', pattern: /^\S.{0,119}$/, expected: 'a name' },
  { field: 'address', name: 'OPERATOR_ADDRESS', pattern: /^\S.{0,299}$/, expected: 'a postal address on one line' },
  { field: 'phone', name: 'OPERATOR_PHONE', pattern: /^[+(]?\d[\d ().-]{1,37}\d$/, expected: 'a phone number' },
  { field: 'email', name: 'OPERATOR_EMAIL', pattern: /^[^\s@<>]+@[^\s@<>]+$/, expected: 'an e-mail address' },
] as const;

const ALERTS_EMAIL: Variable = { name: 'OPERATOR_ALERTS_EMAIL', pattern: VARIABLES[3].pattern, expected: VARIABLES[3].expected };

/**
 * Reads the operator. Without variables, it is an example in the sandbox, and undefined in live mode.
 *
 * @throws Error - some of the variables are missing or invalid, or in live mode an example.
 */
export function operatorIn(env: Env, mode: Mode): Operator | undefined {
  if (VARIABLES.every(({ name }) => !env[name])) return mode === 'sandbox' ? SANDBOX : undefined;
  const operator: Operator = { name: '', address: '', phone: '', email: '' };
  for (const { field, ...variable } of VARIABLES) operator[field] = valueIn(env, mode, variable);
  const licenses = licensesIn(env);
  const alerts = env[ALERTS_EMAIL.name] ? { alertsEmail: valueIn(env, mode, ALERTS_EMAIL) } : {};
  return { ...operator, ...alerts, ...(licenses.length > 0 && { licenses }) };
}

/** @throws Error - the value is missing or invalid, or in live mode an example. */
function valueIn(env: Env, mode: Mode, { name, pattern, expected }: Variable): string {
  const value = (env[name] ?? '').trim();
  if (!pattern.test(value)) throw new Error(`${name}: expected ${expected}, but received ${value ? `"${value}"` : 'no value'}`);
  const fictional = reservedDomainIn(value) ?? fictionalPhoneIn(value);
  if (mode === 'live' && fictional !== undefined) {
    throw new Error(`${name}: expected ${expected} that exists, but received "${fictional}", which is reserved for examples`);
  }
  return value;
}

/** A state, if any, and the text, which must not begin with a second state. */
const LICENSE = /^(?:([A-Z]{2}):\s*)?((?![A-Z]{2}:)\S.{0,199})$/;

/** Reads licenses that are separated by semicolons, each with its state unless it is of all: `NMLS 7; CA: Broker license 60`. */
function licensesIn(env: Env): OperatorLicense[] {
  const entries = (env['OPERATOR_LICENSES'] ?? '').split(';').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, state, text] = LICENSE.exec(entry) ?? [];
    if (text !== undefined && (state === undefined || Object.hasOwn(US_STATES, state))) return { state: state ?? null, text };
    throw new Error(
      `OPERATOR_LICENSES: expected licenses separated by semicolons, each with its state or for all states, such as "NMLS 7; CA: Broker license 60", but received "${entry}"`,
    );
  });
}

/** Returns the licenses of the operator in a state; without a state, those of all states. */
export function operatorLicenses({ licenses = [] }: Operator, state?: string): string[] {
  return licenses.filter((license) => license.state === null || license.state === state).map(({ text }) => text);
}

/** Returns the operator, which a running service requires. @throws Error - a live service has none. */
export function requireOperator({ operator }: { operator?: Operator | undefined }): Operator {
  if (operator) return operator;
  throw new Error(
    `OPERATOR_NAME: expected ${VARIABLES.map(({ name }) => name).join(', ')} for a live service, but received no value`,
  );
}
