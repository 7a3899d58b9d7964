import { Applications } from './applications.ts';
import { ownPlatform } from './platform.ts';
import type { KeyPair, ServiceOptions } from './send.ts';
import { createSendWithToken } from './send-with-token.ts';
import { type GivenToken, tokensFor, tokensGiven } from './tokens.ts';

/** A token of your own, or a merchant's key pair that tokens are got for. */
export type FairtermPlatformOptions = ServiceOptions &
  ({ token: GivenToken; apiKey?: never; secret?: never } | (KeyPair & { token?: never }));

/**
 * The platform API, for a platform's server: what the bearer of a token may see.
 *
 * Calls that fail on the way, or that the service asks to make later, are made again. For a key pair one token is got, kept until
 * shortly before its end and used by all calls; after a 401, another is got, or asked for, once.
 *
 * Every call rejects with
 * - `FairtermPlatformError`, if the service rejected the call;
 * - `NoAnswerError`, when it could not be reached, had a fault, or its answer could not be used;
 * - `TypeError` or `RangeError`, when what it was called with cannot be sent;
 * - the reason of its `signal`, when that was aborted;
 * - whatever the `token` function rejects with.
 *
 * @example
 * const platform = new FairtermPlatform({ serviceUrl: 'https://financing.example', token });
 * for await (const { id, status } of platform.applications.all({ 'status.eq': 'APPROVED' })) console.log(id, status);
 */
export class FairtermPlatform {
  readonly applications: Applications;

  /** @throws TypeError | RangeError - options that cannot be used. */
  constructor(options: FairtermPlatformOptions) {
    const { token, apiKey } = options;
    if ((token === undefined) === (apiKey === undefined)) throw new TypeError('Expected a token, or an apiKey and a secret');
    const { now } = { ...ownPlatform, ...options.platform };
    const tokens = options.token === undefined ? tokensFor(options) : tokensGiven(options.token, now);
    this.applications = new Applications(createSendWithToken(options, tokens));
  }
}
