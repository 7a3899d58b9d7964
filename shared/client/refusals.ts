import { is, string, type } from 'superstruct';
import { ErrorBody } from '../wire/error.ts';
import { PlatformError } from '../wire/platform-error.ts';
import { FairtermError, FairtermPlatformError } from './errors.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';

/** An error response of the service, and the outcome of the call. */
export interface Refused {
  error: FairtermError | FairtermPlatformError;
  outcome: Outcome;
}

interface Details {
  status: number;
  requestId: string | undefined;
  idempotencyKey: string | undefined;
}

/**
 * Reads an API's error body; undefined if the value is not an error body.
 *
 * @param clean - Removes secrets from external text.
 */
export type ReadRefusal = (value: unknown, details: Details, clean: (text: string) => string) => Refused | undefined;

/** The error bodies, also those of a newer service: with further fields, and other types than the one that is known. */
const MerchantBody = type({ ...ErrorBody.schema, type: string() });
const PlatformBody = type(PlatformError.schema);

export const merchantRefusal: ReadRefusal = (value, details, clean) => {
  if (!is(value, MerchantBody)) return undefined;
  const { description, type: kind, code } = value;
  const error = new FairtermError(clean(description), { ...details, type: kind, code });
  return { error, outcome: outcomeOf({ status: details.status, refusal: { description, code } }) };
};

/** The platform API is read only, and its statuses mean what they mean everywhere. */
export const platformRefusal: ReadRefusal = (value, { status, requestId }, clean) => {
  if (status < 400 || !is(value, PlatformBody)) return undefined;
  const { message, reason, domain, metadata } = value;
  const entries = Object.entries(metadata).map(([name, text]) => [name, clean(text)]);
  const details = { status, reason, domain, metadata: Object.fromEntries(entries) as Record<string, string>, requestId };
  const error = new FairtermPlatformError(clean(message), details);
  if (status === 408 || status === 429) return { error, outcome: 'without-effect' };
  return { error, outcome: status < 500 ? 'decided' : 'unknown' };
};
