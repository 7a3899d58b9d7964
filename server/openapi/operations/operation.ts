import type { AnyStruct, JsonSchema } from '../../../shared/wire/notes.ts';
import type { Refusal } from '../../errors.ts';
import type { HeaderName, ParameterName } from '../parameters.ts';

/** One call, as the service answers it. What every call has in common is said in `refusals.ts` and `parameters.ts`. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put';
  /** With its parameters in braces: `/carts/{cartId}`. */
  path: string;
  tag: TagName;
  /** A few words. */
  summary: string;
  /** Whole sentences. */
  description?: string;
  /** Who may call it: a merchant with its key pair, or anyone. */
  caller: 'merchant' | 'anyone';
  /** Whether it is there for tests only. */
  sandboxOnly?: true;
  /** Whether it needs nothing that can fail. */
  standsAlone?: true;
  /** Whether a body is not even read: some clients send `[]` where none is asked for. */
  ignoresBody?: true;
  parameters?: readonly ParameterName[];
  request?: { body: AnyStruct; examples: Readonly<Record<string, Example>> };
  /** Every answer but refusals, by its status. */
  answers: Readonly<Record<number, Answer>>;
  /** Those of its own. */
  refusals: readonly Refusal[];
}

export interface Answer {
  description: string;
  /** None for an answer without a body. */
  body?: AnyStruct | { schema: JsonSchema };
  /** What the body is; JSON when left out. */
  type?: 'application/json' | 'text/html';
  headers?: readonly HeaderName[];
  example?: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export const tags = {
  Carts: 'A cart makes a checkout link for a buyer.',
  Transactions: 'A transaction is a successful checkout: read it, authorize it, settle it when the order is fulfilled.',
  'As low as': 'The lowest monthly price of an amount, with the disclosure the law wants beside it.',
  Sandbox: 'For your own automated tests. None of this is there in a live service.',
  Service: 'For pages, and for whoever keeps the service running.',
} as const;
export type TagName = keyof typeof tags;
