import type { PageLimits } from '../config/config.ts';
import { limiter, type Limiter } from '../http/rate.ts';

/** How often pages may ask, as this process has counted it. */
export type PageLimiters = { [Limit in keyof PageLimits]: Limiter };

/** @param nowMs - A clock that does not go back. The sandbox's, which anybody may move, is none. */
export function pageLimiters(limits: PageLimits, nowMs: () => number): PageLimiters {
  return {
    cartsPerAddress: limiter(limits.cartsPerAddress, nowMs),
    cartsPerMerchant: limiter(limits.cartsPerMerchant, nowMs),
    readsPerAddress: limiter(limits.readsPerAddress, nowMs),
  };
}
