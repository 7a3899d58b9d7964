import * as wire from '../../../../shared/wire/sandbox.ts';
import { SettlementList } from '../../../../shared/wire/settlement.ts';
import { createResource, describing } from '../operation.ts';
import { exampleIds } from './carts.ts';

const describe = describing(wire);

const schemas = [
  describe(
    'CheckoutOutcome',
    'Outcome of a test checkout: `approved`, `denied`, or `remainder-declined`, for which the card is declined when the transaction is authorized.',
  ),
  describe('CheckoutRequest', 'A checkout to complete as a test buyer.', {
    cartId: 'Id of the cart.',
    outcome: 'Outcome of the checkout.',
  }),
  describe('CheckoutResponse', 'A completed checkout.', { transactionId: 'Id of the transaction.' }),
  describe('ClockRequest', 'The time to set.', {
    now: 'The new current time, from 1970 to 8999. The clock continues from there.',
  }),
  describe('ClockResponse', 'The time of the sandbox.', { now: 'Current time of the sandbox.' }),
  describe('SandboxMessage', 'An email or text message that the sandbox stored instead of sending it.', {
    id: 'Id of the message.',
    channel: 'Channel of the message.',
    to: 'Email address or ten-digit phone number.',
    subject: 'Subject of the email. Empty for a text message.',
    text: 'Text of the message.',
    createdAt: 'Time of creation.',
  }),
  describe('MessagesResponse', 'Messages that the sandbox stored.', {
    messages: 'Messages, newest first.',
  }),
];

/** Operations for tests in the OpenAPI document, which only a sandbox has. Merchants authenticate with a key pair. */
export const sandbox = createResource('Sandbox', 'key-pair', schemas, {
  runCheckout: {
    call: 'POST /sandbox/checkouts',
    summary: 'Complete a sandbox checkout',
    description:
      "Completes the cart's checkout as a test buyer, through the same steps as any buyer. If the checkout is already completed, returns its transaction.",
    sandboxOnly: true,
    request: {
      body: wire.CheckoutRequest,
      examples: { approved: { summary: 'An approved buyer', value: { cartId: exampleIds.cart } } },
    },
    returns: { description: 'The transaction.', body: wire.CheckoutResponse, example: { transactionId: exampleIds.transaction } },
    errors: ['cart-not-found', 'cart-closed', 'not-approved', 'changed-meanwhile'],
  },
  moveClock: {
    call: 'POST /sandbox/clock',
    summary: 'Set the sandbox clock',
    description: 'Sets the clock of the sandbox for all merchants, so that you can test expiration.',
    sandboxOnly: true,
    request: { body: wire.ClockRequest, examples: { later: { summary: 'Years ahead', value: { now: '2030-01-01T00:00:00Z' } } } },
    returns: { description: 'The time of the sandbox.', body: wire.ClockResponse },
  },
  settle: {
    call: 'POST /sandbox/settlements',
    summary: 'Settle your purchases',
    description:
      'Settles your purchases through the current day (UTC) of the sandbox without waiting for its end. A day is settled once: settlements and refunds after this call are in the settlement of a later day.',
    sandboxOnly: true,
    returns: { description: 'The new settlements.', body: SettlementList },
    errors: ['changed-meanwhile'],
  },
  listMessages: {
    call: 'GET /sandbox/messages',
    summary: 'List stored messages',
    description: 'Lists the emails and text messages of your carts, which the sandbox stores instead of sending them.',
    sandboxOnly: true,
    returns: { description: 'The messages.', body: wire.MessagesResponse },
  },
});
