import { acceptedContact, type ContactInput } from '@fairterm/client';
import type { BigNumberInput, PaymentCustomerDTO } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';

/**
 * The `data` of a payment session, and later of its payment. Medusa stores what each method of the provider returns, and shows the data of a
 * session to the storefront.
 */
export interface SessionData extends Record<string, unknown> {
  /** Id of the payment session, which is the `orderRef` of its carts. */
  session_id: string;
  /** Id and URL of the cart at Fairterm. */
  cart_id: string;
  url: string;
  amount_cents: number;
  /** Id of the authorized transaction. */
  transaction_id?: string;
  /** Number of refunds that Medusa has recorded. */
  refunds?: number;
}

/** @throws MedusaError if it is missing, which Medusa leaves to the caller of `updatePaymentSession`. */
export function sessionDataOf(data: Record<string, unknown> = {}): SessionData {
  const { session_id, cart_id, amount_cents } = data;
  if (typeof session_id === 'string' && typeof cart_id === 'string' && typeof amount_cents === 'number')
    return data as SessionData;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'data: expected the data of a payment session of Fairterm');
}

/** Converts dollars with any number of decimals to cents, rounded half up. @throws MedusaError if it is another currency. */
export function centsOf(amount: BigNumberInput, currency = 'usd'): number {
  if (currency.toUpperCase() === 'USD') return Math.round(MathBN.mult(amount, 100).toNumber());
  throw new MedusaError(MedusaError.Types.NOT_ALLOWED, `Expected the currency USD, but received ${currency}`);
}

/** Returns the contact of a customer with a billing address in the US. Medusa passes no address of a guest. */
export function contactOf(customer?: PaymentCustomerDTO): ContactInput | undefined {
  const address = customer?.billing_address;
  if (!customer || address?.country_code?.toLowerCase() !== 'us') return undefined;
  return acceptedContact({
    firstName: customer.first_name,
    lastName: customer.last_name,
    address: address.address_1,
    address2: address.address_2,
    city: address.city,
    // A code such as `TX`, or as in ISO 3166-2: `us-tx`.
    state: address.province?.replace(/^us-/i, ''),
    zip: address.postal_code,
    email: customer.email,
    phone: address.phone || customer.phone,
  });
}
