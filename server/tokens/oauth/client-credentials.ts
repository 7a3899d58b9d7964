import { ServiceError } from '../../errors.ts';
import type { KeyPair } from '../../merchants/keys.ts';

/** What a client said of itself in the header: nothing, something that names nobody, or a key pair as it stands there. */
export type Said = KeyPair | 'nothing' | 'unreadable';

/** Those that mean something here. Others are passed over, as RFC 6749, 3.2, wants it. */
const PARAMETERS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

/**
 * Who asks for a token by the grant of client credentials, RFC 6749, 4.4: `client_secret_basic` or `client_secret_post`.
 *
 * @param form - The body as it came; undefined when it was no form.
 * @returns The key pair that is to be checked; undefined when there is none.
 * @throws ServiceError `invalid-request`, `unsupported-grant-type`, `invalid-scope`
 */
export function clientOf(form: string | undefined, said: Said, scope: string): KeyPair | undefined {
  if (form === undefined) throw invalid('Expected a body of the type application/x-www-form-urlencoded.');
  const given = parametersIn(form);
  if (given.grant_type === undefined) throw invalid('Expected the parameter grant_type, but received none.');
  if (given.grant_type !== 'client_credentials') {
    throw new ServiceError('unsupported-grant-type', 'Expected the grant_type client_credentials, but received another.');
  }
  if (given.scope?.split(' ').some((one) => one !== scope)) {
    throw new ServiceError('invalid-scope', `Expected the scope ${scope}, or none, but received another.`);
  }
  return clientIn(given, said);
}

function clientIn({ client_id: id, client_secret: secret }: Given, said: Said): KeyPair | undefined {
  if (said === 'nothing') return id !== undefined && secret !== undefined ? { apiKey: id, secret } : undefined;
  if (secret !== undefined) throw invalid('Expected the client to authenticate in one way, but received two.');
  const pair = said === 'unreadable' ? undefined : decodedPair(said);
  if (pair && id !== undefined && id !== pair.apiKey) {
    throw invalid('Expected client_id to be the client that authenticates, but received another.');
  }
  return pair;
}

type Given = { [Name in (typeof PARAMETERS)[number]]?: string };

/** A parameter without a value counts as left out. */
function parametersIn(form: string): Given {
  const all = new URLSearchParams(form);
  const given: Given = {};
  for (const name of PARAMETERS) {
    const values = all.getAll(name);
    if (values.length > 1) throw invalid(`Expected the parameter ${name} once, but received it ${values.length} times.`);
    if (values[0]) given[name] = values[0];
  }
  return given;
}

/** Both halves are encoded as in a form before they are put together: RFC 6749, 2.3.1. */
function decodedPair({ apiKey, secret }: KeyPair): KeyPair | undefined {
  try {
    return { apiKey: decoded(apiKey), secret: decoded(secret) };
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid-request', message);
}
