import { type Infer, object, string } from 'superstruct';
import { Email, Phone } from './contact-fields.ts';
import { line } from './fields.ts';

/** Request body of `POST /carts/:cartId/email`: the recipient of the cart link. */
export const EmailCartRequest = object({ email: Email, name: line(200, 1) });
export type EmailCartRequest = Infer<typeof EmailCartRequest>;

/** Request body of `POST /carts/:cartId/text`: the phone number that receives the cart link. */
export const TextCartRequest = object({ phone: Phone });
export type TextCartRequest = Infer<typeof TextCartRequest>;

/** Confirms that the message was accepted. It is sent afterwards. */
export const SharedCart = object({ message: string() });
export type SharedCart = Infer<typeof SharedCart>;
