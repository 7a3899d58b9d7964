import { type Infer, object } from 'superstruct';
import { optional } from './bricks.ts';
import { Email } from './contact-fields.ts';
import { line, text } from './fields.ts';

/** What a person is called. Of one who has a single name, `familyName` is empty. */
export const PersonName = object({ givenName: text(200), familyName: text(200), additionalName: optional(text(200)) });
export type PersonName = Infer<typeof PersonName>;

/** Where a person lives, or is sent something, as it was written. `region` is an ISO 3166-2 code, `US-CA`; `country` an ISO 3166-1 alpha-2 one. */
export const PlatformAddress = object({
  address1: text(200, 1),
  address2: optional(text(200, 1)),
  locality: text(200, 1),
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
