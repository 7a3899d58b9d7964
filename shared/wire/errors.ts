import { type Infer, literal, object, string } from 'superstruct';
import { optional, mapOf } from './structs.ts';

/**
 * Error response of the merchant API.
 *
 * @see server/docs/merchant-api.md, "Errors": `description`, `error` and `type`. `code` is stable. It is omitted only for an
 *   invalid transaction id, because clients compare that response as a whole.
 */
export const ErrorBody = object({
  /** For developers: what was rejected, what was expected and what was received. */
  description: string(),
  error: literal(true),
  type: literal('INTERNAL_ERROR'),
  code: optional(string()),
});
export type ErrorBody = Infer<typeof ErrorBody>;

/** Error response of the platform API. */
export const PlatformError = object({
  /** For developers: what was rejected, what was expected and what was received. */
  message: string(),
  /** Stable error code: `INVALID_PARAMETER`. */
  reason: string(),
  /** The namespace of `reason`. */
  domain: string(),
  /** Details, if any: `parameter`, `expected` and `received`. */
  metadata: mapOf(string()),
});
export type PlatformError = Infer<typeof PlatformError>;
