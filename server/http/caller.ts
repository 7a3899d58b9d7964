import { hash } from 'node:crypto';
import type { Actor } from '../base/actor.ts';
import { isId } from '../base/ids.ts';
import type { Context } from './context.ts';

/** Identifies the caller of a request in logs, without secrets and personal data. */
export type CallerFields =
  | { merchantId: string; keyId: string }
  | { tenantId: string; issuer: string; subject: string | undefined };

/** Returns the caller that `merchantAuth` or `platformAuth` authenticated; undefined for any other request. */
export function callerFieldsOf({ state }: Pick<Context, 'state'>): CallerFields | undefined {
  const { merchantId, bearer } = state;
  if (merchantId !== undefined) return { merchantId, keyId: state.keyId! };
  if (bearer) return { tenantId: bearer.tenantId, issuer: bearer.issuer, subject: pseudonymOf(bearer.subject) };
  return undefined;
}

/** Returns true if `merchantAuth` or `platformAuth` authenticated the request. */
export function isAuthenticated({ state }: Pick<Context, 'state'>): boolean {
  return state.merchantId !== undefined || state.bearer !== undefined;
}

/** Returns true if the request has credentials, valid or not: a header, or a key pair in the body that `authenticateKeyPair` received. */
export function hasCredentials({ req, state }: Pick<Context, 'req' | 'state'>): boolean {
  return req.headers.authorization !== undefined || state.hasKeyPair === true;
}

/** Returns the actor of a request that `merchantAuth` authenticated. */
export function actorOf({ state }: Pick<Context, 'state'>): Actor {
  return `key:${state.keyId}`;
}

/** Hashes subjects of other issuers that are not UUIDs, because they can be e-mail addresses or names. */
function pseudonymOf(subject: string | undefined): string | undefined {
  if (subject === undefined || isId(subject)) return subject;
  return `sha256:${hash('sha256', subject, 'hex').slice(0, 16)}`;
}
