import { Email } from './contact-fields.ts';
import { Uuid } from './fields.ts';
import { DateOrTimestamp, integerInQuery } from './query.ts';
import { defaulted, optional } from './structs.ts';

/** Query parameters of every list of the merchant API, the newest first. */
export const listQuery = {
  'createdAt[gte]': optional(DateOrTimestamp),
  'createdAt[lt]': optional(DateOrTimestamp),
  email: optional(Email),
  limit: defaulted(integerInQuery(1, 200), 10),
  after: optional(Uuid),
};
