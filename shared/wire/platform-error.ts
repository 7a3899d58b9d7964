import { type Infer, object, string } from 'superstruct';
import { mapOf } from './structs.ts';

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
