import { Applications } from './applications.ts';
import { type KeyPair, type ServiceOptions, defaultRuntime } from './options.ts';
import { createSendWithToken } from './send.ts';
import { tokensForKeyPair, tokensFrom, type TokenSource } from './tokens.ts';

/** Your own token, or a merchant's key pair to request tokens with. */
export type FairtermPlatformOptions = ServiceOptions &
  ({ token: TokenSource; apiKey?: never; secret?: never } | (KeyPair & { token?: never }));

/**
 * Client of the platform API, for a platform's server.
 *
 * Failed calls are retried where that may help. With a key pair, one token is requested, cached until shortly before it expires
 * and shared by all calls. After a 401, the call is retried once with a new token.
 *
 * Methods reject with the following errors:
 * - `FairtermPlatformError` if the service rejects the call
 * - `UnknownOutcomeError` if the service is unreachable, has an internal error, or its response is unusable
 * - `TypeError` or `RangeError` if an argument is invalid
 * - the reason of the `signal` if it is aborted
 * - the error of the `token` function
 *
 * @example
 * const platform = new FairtermPlatform({ serviceUrl: 'https://financing.example', token });
 * for await (const { id, status } of platform.applications.all({ 'status.eq': 'APPROVED' })) console.log(id, status);
 */
export class FairtermPlatform {
  readonly applications: Applications;

  /** @throws TypeError | RangeError if an option is invalid. */
  constructor(options: FairtermPlatformOptions) {
    const { token, apiKey } = options;
    if ((token === undefined) === (apiKey === undefined)) {
      throw new TypeError('options: expected either a token, or an apiKey and a secret');
    }
    const { now } = { ...defaultRuntime, ...options.runtime };
    const tokens = options.token === undefined ? tokensForKeyPair(options) : tokensFrom(options.token, now);
    this.applications = new Applications(createSendWithToken(options, tokens));
  }
}
