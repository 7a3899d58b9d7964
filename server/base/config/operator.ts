import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { groupIn } from './read-settings.ts';
import { LICENSE } from './settings.ts';

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

/**
 * Reads the operator. Without settings, it is an example in the sandbox, and undefined in live mode.
 *
 * @throws SettingsError - some of the settings are missing or invalid, or in live mode an example.
 */
export function operatorIn(env: Env, mode: Mode): Operator | undefined {
  const values = groupIn(
    env,
    mode,
    ['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'OPERATOR_PHONE', 'OPERATOR_EMAIL'],
    ['OPERATOR_ALERTS_EMAIL', 'OPERATOR_LICENSES'],
  );
  if (!values) return mode === 'sandbox' ? SANDBOX : undefined;
  const licenses = licensesIn(values.OPERATOR_LICENSES);
  return {
    name: values.OPERATOR_NAME,
    address: values.OPERATOR_ADDRESS,
    phone: values.OPERATOR_PHONE,
    email: values.OPERATOR_EMAIL,
    ...(values.OPERATOR_ALERTS_EMAIL && { alertsEmail: values.OPERATOR_ALERTS_EMAIL }),
    ...(licenses.length > 0 && { licenses }),
  };
}

/** Reads licenses that are separated by semicolons, each with its state unless it is of all: `NMLS 7; CA: Broker license 60`. */
function licensesIn(value = ''): OperatorLicense[] {
  const entries = value.split(';').flatMap((entry) => entry.trim() || []);
  return entries.map((entry) => {
    const [, state = null, text = ''] = LICENSE.exec(entry) ?? [];
    return { state, text };
  });
}

/** Returns the licenses of the operator in a state; without a state, those of all states. */
export function operatorLicenses({ licenses = [] }: Operator, state?: string): string[] {
  return licenses.filter((license) => license.state === null || license.state === state).map(({ text }) => text);
}

/** Returns the operator, which a running service requires. @throws Error - a live service has none. */
export function requireOperator({ operator }: { operator?: Operator | undefined }): Operator {
  if (operator) return operator;
  throw new Error('OPERATOR_NAME: expected the name of the operator for a live service, but received no value');
}
