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
