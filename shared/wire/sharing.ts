import { type Infer, object, refine, string } from 'superstruct';
import { Email, line, Phone } from './fields.ts';

/** An address mail can be sent to: without the characters that part and surround addresses, which nobody's has. */
const Mailbox = refine(
  Email,
  'mailbox',
  (value) =>
    !/[<>()[\]\\,;:"]/.test(value) ||
    'Expected an e-mail address alone, but received one with brackets, quotes, commas or colons',
);

/** Body of `POST /carts/:cartId/email`: who gets the cart's link. */
export const EmailCartRequest = object({ email: Mailbox, name: line(200, 1) });
export type EmailCartRequest = Infer<typeof EmailCartRequest>;

/** Body of `POST /carts/:cartId/text`: the phone that gets the cart's link. */
export const TextCartRequest = object({ phone: Phone });
export type TextCartRequest = Infer<typeof TextCartRequest>;

/** That it was taken, as a sentence. It leaves afterwards. */
export const SharedCart = object({ message: string() });
export type SharedCart = Infer<typeof SharedCart>;
