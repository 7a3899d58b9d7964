import type { createLocalJWKSet } from 'jose';

/** Public keys that an issuer signs with. Its identity stands for its content: other keys are another set. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Where the keys of an issuer come from. */
export interface KeySource {
  /** Those that are believed at this moment. @throws ServiceError `issuer-unavailable` */
  current(): Promise<KeySet>;
  /**
   * Looks again, for a token whose key is not among those that are believed: it may be new.
   *
   * @returns The same set when there is nothing newer, or it is too early to ask.
   * @throws ServiceError `issuer-unavailable`
   */
  newest(): Promise<KeySet>;
}
