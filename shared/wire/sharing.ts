import { type Infer, object, string } from 'superstruct';
import { Email, Phone } from './contact-fields.ts';
import { line } from './fields.ts';

/** Body of `POST /carts/:cartId/email`: who gets the cart's link. */
export const EmailCartRequest = object({ email: Email, name: line(200, 1) });
export type EmailCartRequest = Infer<typeof EmailCartRequest>;

/** Body of `POST /carts/:cartId/text`: the phone that gets the cart's link. */
export const TextCartRequest = object({ phone: Phone });
export type TextCartRequest = Infer<typeof TextCartRequest>;

/** That it was taken, as a sentence. It leaves afterwards. */
export const SharedCart = object({ message: string() });
export type SharedCart = Infer<typeof SharedCart>;
