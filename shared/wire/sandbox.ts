import { array, enums, type Infer, object, string } from 'superstruct';
import { preprocess, Timestamp } from './fields.ts';
import { annotate } from './annotations.ts';

/**
 * Outcome of a test checkout. `remainder-declined` completes the checkout, and the card is declined when the transaction is
 * authorized.
 */
export const CheckoutOutcome = enums(['approved', 'denied', 'remainder-declined']);
export type CheckoutOutcome = Infer<typeof CheckoutOutcome>;

/** Default, also for null: `approved`. */
const OutcomeOrApproved: typeof CheckoutOutcome = annotate(
  preprocess(CheckoutOutcome, (value) => value ?? 'approved'),
  { kind: 'defaulted', of: CheckoutOutcome, blanks: [null], fallback: 'approved' },
);

/** Request body of `POST /sandbox/checkouts`, which completes the cart's checkout as a test buyer. */
export const CheckoutRequest = object({ cartId: string(), outcome: OutcomeOrApproved });
export type CheckoutRequest = Infer<typeof CheckoutRequest>;

export const CheckoutResponse = object({ transactionId: string() });
export type CheckoutResponse = Infer<typeof CheckoutResponse>;

/** Request body of `POST /sandbox/clock`: the new current time of the sandbox. */
export const ClockRequest = object({ now: Timestamp });
export type ClockRequest = Infer<typeof ClockRequest>;

export const ClockResponse = object({ now: Timestamp });
export type ClockResponse = Infer<typeof ClockResponse>;

/** An email or text message that the sandbox stored instead of sending it. */
export const SandboxMessage = object({
  id: string(),
  channel: enums(['email', 'text']),
  /** Email address or ten-digit phone number. */
  to: string(),
  /** Empty for a text message. */
  subject: string(),
  text: string(),
  createdAt: Timestamp,
});
export type SandboxMessage = Infer<typeof SandboxMessage>;

/** Response of `GET /sandbox/messages`: the merchant's messages, newest first. */
export const MessagesResponse = object({ messages: array(SandboxMessage) });
export type MessagesResponse = Infer<typeof MessagesResponse>;
