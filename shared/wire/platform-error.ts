import { type Infer, object, string } from 'superstruct';
import { mapOf } from './bricks.ts';

/** What the platform API answers when it says no. */
export const PlatformError = object({
  /** For an engineer: what was refused, what was expected, what came. */
  message: string(),
  /** The refusal in one word that never changes its meaning: `INVALID_PARAMETER`. */
  reason: string(),
  /** Whose reasons these are. */
  domain: string(),
  /** More of it where there is more: `parameter`, `expected` and `received`. */
  metadata: mapOf(string()),
});
export type PlatformError = Infer<typeof PlatformError>;
