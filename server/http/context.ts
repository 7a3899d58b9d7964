import { isId } from '../base/ids.ts';
import type { Actor } from '../base/actor.ts';
import { hash } from 'node:crypto';
import type Koa from 'koa';
import type { Database } from '../db/database.ts';
import type { ErrorCode } from '../base/errors.ts';

/** The applications that a token gives access to: those of a tenant that match all other ids. */
export interface Scope {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
}

/** The scope, issuer and subject of a verified bearer token. */
export interface Bearer extends Scope {
  issuer: string;
  subject: string | undefined;
}

/** The state of a request, which middleware sets for later middleware, routes and the log. Features may extend it. */
export interface State {
  /** The IP address of the client (see `setClientAddress`); undefined if it is unknown. */
  clientAddress?: string | undefined;
  /** Public URL of the service, without a trailing slash. */
  publicUrl?: string;
  /** Sent to the caller as `x-request-id`. */
  requestId?: string;
  /** True if the request had a key pair, valid or not. */
  hasKeyPair?: boolean;
  /** The merchant that `merchantAuth` authenticated, and its key. */
  merchantId?: string;
  keyId?: string;
  /** The caller that `platformAuth` authenticated. */
  bearer?: Bearer;
  /** Records the request with its writes (see `databaseOf`). */
  database?: Database;
  /** Code of the error with which the request was rejected. */
  rejection?: ErrorCode;
  /** True if the request failed by an error of the service. */
  isFault?: boolean;
}

export type Context<S extends State = State> = Koa.ParameterizedContext<S>;

export type Middleware<S extends State = State> = Koa.Middleware<S>;

/** Identifies the caller of a request in logs, without secrets and personal data. */
type CallerFields = { merchantId: string; keyId: string } | { tenantId: string; issuer: string; subject: string | undefined };

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
