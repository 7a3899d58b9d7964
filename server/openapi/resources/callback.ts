import { Callback } from '../../../shared/wire/cart.ts';
import { type NamedSchema, objectSchema } from '../operation.ts';
import type { SchemaWriter } from '../schema-of.ts';
import type { WebhookObject } from '../types.ts';
import { exampleIds } from './carts.ts';

export const callbackSchemas: readonly NamedSchema[] = [
  objectSchema(Callback, 'Callback', 'A purchase was made.', {
    transactionId: 'Id of the transaction. Retrieve it, compare its total, and authorize it.',
    orderRef: 'The `orderRef` of the cart, or empty.',
  }),
];

/** @see https://www.standardwebhooks.com */
const webhookHeaders = {
  'webhook-id': 'Id of the callback, the same in every attempt. Use it to recognize duplicates.',
  'webhook-timestamp': 'Time of this attempt in seconds since 1970. Reject callbacks older than a few minutes.',
  'webhook-signature':
    'One or more space-separated signatures: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`.',
};

/** The webhook that the service sends after a successful checkout. */
export function describeCallback(writer: SchemaWriter): WebhookObject {
  return {
    operationId: 'checkoutCompleted',
    tags: ['Carts'],
    summary: "Checkout completed: sent to the cart's `callbackUrl`",
    description:
      'Sent at least once, and retried for three days until the response is 2xx. Your server may retrieve and authorize the transaction before it responds. Signed as specified by Standard Webhooks; receivers that do not verify signatures can ignore the headers.',
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: writer.schemaOf(Callback, 'answered'),
          example: { transactionId: exampleIds.transaction, orderRef: 'ORDER-1' },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': { description: 'Not received; retried.' },
      '5XX': { description: 'Not received; retried.' },
    },
  };
}
