import { type Infer, object } from 'superstruct';
import { optional } from './structs.ts';
import { Email } from './contact-fields.ts';
import { line, text } from './fields.ts';

/** A person's name. `familyName` is empty for a person with a single name. */
export const PersonName = object({ givenName: text(200), familyName: text(200), additionalName: optional(text(200)) });
export type PersonName = Infer<typeof PersonName>;

/** A postal address, as entered. `region` is an ISO 3166-2 code, `US-CA`; `country` is an ISO 3166-1 alpha-2 code. */
export const PlatformAddress = object({
  address1: text(200, 1),
  address2: optional(text(200, 1)),
  locality: text(200, 1),
  postalCode: line(20, 1),
  region: line(6, 2),
  country: line(2, 2),
});
export type PlatformAddress = Infer<typeof PlatformAddress>;

/** A contact in the platform API. `phone` includes the country code: `+12025550123`. */
export const PlatformContact = object({
  name: PersonName,
  phone: optional(line(20, 1)),
  address: optional(PlatformAddress),
  email: optional(Email),
});
export type PlatformContact = Infer<typeof PlatformContact>;
