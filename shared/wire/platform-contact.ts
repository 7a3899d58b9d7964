import { type Infer, object } from 'superstruct';
import { optional } from './bricks.ts';
import { Email } from './contact-fields.ts';
import { line } from './fields.ts';

/** What a person is called. */
export const PersonName = object({ givenName: line(200), familyName: line(200), additionalName: optional(line(200)) });
export type PersonName = Infer<typeof PersonName>;

/** Where a person lives, or is sent something. `region` is an ISO 3166-2 code, `US-CA`; `country` an ISO 3166-1 alpha-2 one. */
export const PlatformAddress = object({
  address1: line(200, 1),
  address2: optional(line(200, 1)),
  locality: line(200, 1),
  postalCode: line(20, 1),
  region: line(6, 2),
  country: line(2, 2),
});
export type PlatformAddress = Infer<typeof PlatformAddress>;

/** A person on the platform API. `phone` has its country code, `+12025550123`. */
export const PlatformContact = object({
  name: PersonName,
  phone: optional(line(20, 1)),
  address: optional(PlatformAddress),
  email: optional(Email),
});
export type PlatformContact = Infer<typeof PlatformContact>;
