import { type Infer, literal, object, string } from 'superstruct';
import { optional } from './bricks.ts';

/**
 * What the merchant API answers when it says no.
 *
 * @see Interface, "Errors": `description`, `error` and `type`. `code` stands beside them and never changes its meaning; only the
 *   answer to an invalid transaction id, which clients compare whole, has none.
 */
export const ErrorBody = object({
  /** For the merchant's engineer: what was refused, what was expected, what came. */
  description: string(),
  error: literal(true),
  type: literal('INTERNAL_ERROR'),
  code: optional(string()),
});
export type ErrorBody = Infer<typeof ErrorBody>;
