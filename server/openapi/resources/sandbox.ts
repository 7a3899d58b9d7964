import { type NamedSchema, objectSchema, type Operation, type Resource, valueSchema } from '../operation.ts';
import { exampleIds } from './carts.ts';
import {
  CheckoutOutcome,
  CheckoutRequest,
  CheckoutResponse,
  ClockRequest,
  ClockResponse,
  MessagesResponse,
  SandboxMessage,
} from '../../../shared/wire/sandbox.ts';

const schemas: readonly NamedSchema[] = [
  valueSchema(
    CheckoutOutcome,
    'CheckoutOutcome',
    'How a test checkout ends: in a purchase, in a denial, or in a purchase whose card declines as soon as it is authorized.',
  ),
  objectSchema(CheckoutRequest, 'CheckoutRequest', 'A test buyer takes a cart through the checkout.', {
    cartId: 'Which cart.',
    outcome: 'How it ends.',
  }),
  objectSchema(CheckoutResponse, 'CheckoutResponse', 'The purchase that came of it.', {
    transactionId: 'Id of the transaction.',
  }),
  objectSchema(ClockRequest, 'ClockRequest', 'The time to set.', {
    now: 'The moment it is from here on, from 1970 through 8999; time goes on from there.',
  }),
  objectSchema(ClockResponse, 'ClockResponse', 'The current time of the sandbox.', { now: 'The current time of the sandbox.' }),
  objectSchema(SandboxMessage, 'SandboxMessage', 'An email or text that the sandbox stored instead of sending it.', {
    id: 'Id of the message.',
    channel: 'Channel by which it would have been sent.',
    to: 'An e-mail address, or the ten digits of a phone.',
    subject: 'Empty for a text.',
    text: 'Text of the message.',
    createdAt: 'When it was to be sent.',
  }),
  objectSchema(MessagesResponse, 'MessagesResponse', 'Messages that the sandbox stored.', { messages: 'The latest first.' }),
];

const operations: readonly Operation[] = [
  {
    id: 'runCheckout',
    method: 'post',
    path: '/sandbox/checkouts',
    tag: 'Sandbox',
    summary: 'Complete a sandbox checkout',
    description:
      'The same checkout a buyer goes through, with a test buyer. A checkout that is complete answers with its transaction.',
    caller: 'merchant',
    sandboxOnly: true,
    request: {
      body: CheckoutRequest,
      examples: { approved: { summary: 'An approved buyer', value: { cartId: exampleIds.cart } } },
    },
    answers: {
      200: { description: 'The purchase.', body: CheckoutResponse, example: { transactionId: exampleIds.transaction } },
    },
    refusals: ['cart-not-found', 'cart-closed', 'not-approved', 'changed-meanwhile'],
  },
  {
    id: 'moveClock',
    method: 'post',
    path: '/sandbox/clock',
    tag: 'Sandbox',
    summary: 'Set the sandbox clock',
    description: 'Sets the clock of the whole sandbox for all merchants, so that expiry can be tested.',
    caller: 'merchant',
    sandboxOnly: true,
    request: { body: ClockRequest, examples: { later: { summary: 'Years from here', value: { now: '2030-01-01T00:00:00Z' } } } },
    answers: { 200: { description: 'The current time of the sandbox.', body: ClockResponse } },
    refusals: [],
  },
  {
    id: 'listMessages',
    method: 'get',
    path: '/sandbox/messages',
    tag: 'Sandbox',
    summary: 'List unsent messages',
    description: 'The emails and texts of your carts, which the sandbox stores instead of sending them.',
    caller: 'merchant',
    sandboxOnly: true,
    answers: { 200: { description: 'The messages.', body: MessagesResponse } },
    refusals: [],
  },
];

export const sandbox: Resource = { operations, schemas };
