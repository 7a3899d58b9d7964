import type { Struct } from 'superstruct';
import { pathOf, serviceAddress } from './address.ts';
import { makeCall } from './call.ts';
import { FairtermPlatformError } from './errors.ts';
import { ownPlatform } from './platform.ts';
import { platformRefusal } from './refusals.ts';
import { patienceOf, type ReadOptions, type ServiceOptions } from './send.ts';
import type { Tokens } from './tokens.ts';

/** One operation of the platform API. */
export interface PlatformOperation<T> {
  /** For messages: `applications.list`. */
  name: string;
  path: readonly string[];
  /** As it appears in the URL. */
  query: string;
  answer: Struct<T>;
}

export type SendWithToken = <T>(operation: PlatformOperation<T>, options: ReadOptions) => Promise<T>;

/** @throws TypeError | RangeError - options that cannot be used. */
export function createSendWithToken(options: ServiceOptions, tokens: Tokens): SendWithToken {
  const address = serviceAddress(options.serviceUrl);
  const patience = patienceOf(options);
  const platform = { ...ownPlatform, ...options.platform };

  return async ({ name, path, query, answer }, { signal }) => {
    const url = `${address}${pathOf(path)}?${query}`;
    const callBy = (token: string) => {
      const exchange = { method: 'GET', url, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } };
      const call = { ...exchange, body: undefined, name, answer, refusal: platformRefusal, idempotencyKey: undefined, signal };
      return makeCall(call, patience, platform, tokens.clean);
    };
    const token = await tokens.current(signal);
    try {
      return await callBy(token);
    } catch (error) {
      if (!(error instanceof FairtermPlatformError && error.status === 401)) throw error;
      const other = await tokens.after(token, signal);
      if (other === token) throw error;
      return callBy(other);
    }
  };
}
