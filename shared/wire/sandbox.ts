import { array, enums, type Infer, object, string } from 'superstruct';
import { replacing, Timestamp } from './fields.ts';
import { noted } from './notes.ts';

/** How a test checkout ends: with `remainder-declined` in a purchase whose card declines as soon as it is authorized. */
export const CheckoutOutcome = enums(['approved', 'denied', 'remainder-declined']);
export type CheckoutOutcome = Infer<typeof CheckoutOutcome>;

/** Left out, or null, it is `approved`. */
const OutcomeOrApproved: typeof CheckoutOutcome = noted(
  replacing(CheckoutOutcome, (value) => value ?? 'approved'),
  { is: 'defaulted', of: CheckoutOutcome, blanks: [null], fallback: 'approved' },
);

/** Body of `POST /sandbox/checkouts`: a test buyer takes the cart through the checkout. */
export const CheckoutRequest = object({ cartId: string(), outcome: OutcomeOrApproved });
export type CheckoutRequest = Infer<typeof CheckoutRequest>;

export const CheckoutResponse = object({ transactionId: string() });
export type CheckoutResponse = Infer<typeof CheckoutResponse>;

/** Body of `POST /sandbox/clock`: the moment it is from here on. */
export const ClockRequest = object({ now: Timestamp });
export type ClockRequest = Infer<typeof ClockRequest>;

export const ClockResponse = object({ now: Timestamp });
export type ClockResponse = Infer<typeof ClockResponse>;

/** An e-mail or a text that the sandbox kept instead of sending it. */
export const SandboxMessage = object({
  id: string(),
  channel: enums(['email', 'text']),
  /** An e-mail address, or ten digits. */
  to: string(),
  /** Empty for a text. */
  subject: string(),
  text: string(),
  createdAt: Timestamp,
});
export type SandboxMessage = Infer<typeof SandboxMessage>;

/** Answer of `GET /sandbox/messages`: the merchant's own, the latest first. */
export const MessagesResponse = object({ messages: array(SandboxMessage) });
export type MessagesResponse = Infer<typeof MessagesResponse>;
