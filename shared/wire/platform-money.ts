import { type Infer, object } from 'superstruct';
import { whole } from './bricks.ts';
import { line } from './fields.ts';

/** An amount on the platform API: `value` in the minor unit of `currency`, which is an ISO 4217 code. */
export const Money = object({ currency: line(3, 3), value: whole(0) });
export type Money = Infer<typeof Money>;
