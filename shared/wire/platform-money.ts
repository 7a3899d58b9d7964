import { type Infer, object } from 'superstruct';
import { wholeNumber } from './structs.ts';
import { line } from './fields.ts';

/** An amount in the platform API: `value` in the minor unit of `currency`, an ISO 4217 code. */
export const Money = object({ currency: line(3, 3), value: wholeNumber(0) });
export type Money = Infer<typeof Money>;
