import type { Query } from '../db/database.ts';
import type { Mode } from '../mode.ts';
import { isRegisteredOrigin, originsOf } from './store.ts';

/** Every page on a developer's own machine, written as in a content security policy. A sandbox takes them as registered. */
const LOCAL_ORIGINS = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]);

/** The origins whose pages may use a merchant's public key, frame its checkout and are told how it ended. `:*` is any port. */
export async function pageOriginsOf(query: Query, merchantId: string, mode: Mode): Promise<string[]> {
  return withLocalOrigins(await originsOf(query, merchantId), mode);
}

/** Adds, in a sandbox, those of pages on a developer's own machine. */
export function withLocalOrigins(registered: readonly string[], mode: Mode): string[] {
  return mode === 'sandbox' ? [...registered, ...LOCAL_ORIGINS] : [...registered];
}

/** Whether `origin`, as browsers write it, is one of `origins`. */
export function matchesOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes(origin.replace(/(:\d+)?$/, ':*'));
}

/** Whether pages of `origin` are some merchant's. */
export async function isKnownOrigin(query: Query, origin: string, mode: Mode): Promise<boolean> {
  return matchesOrigin(origin, withLocalOrigins([], mode)) || isRegisteredOrigin(query, origin);
}
