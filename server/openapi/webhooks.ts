import { Callback } from '../../shared/wire/callback.ts';
import type { Json } from './document.ts';
import { exampleIds } from './examples/carts.ts';
import type { SchemaWriter } from './schema-of.ts';

/** The Standard Webhooks headers of a callback. @see https://www.standardwebhooks.com */
const webhookHeaders = {
  'webhook-id': 'Names the callback; the same in every attempt, so that one which came twice is known.',
  'webhook-timestamp': 'Seconds since 1970 of this attempt. Refuse what is older than a few minutes.',
  'webhook-signature':
    'One or more signatures, parted by spaces: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`.',
};

/** What the service sends. */
export function webhooks(writer: SchemaWriter): Json {
  return {
    checkoutCompleted: {
      post: {
        operationId: 'checkoutCompleted',
        tags: ['Carts'],
        summary: "A purchase was made: to the cart's `callbackUrl`",
        description:
          'Sent at least once, and again for three days until it is answered with 2xx. Your server may read and authorize the transaction before it answers. Signed as Standard Webhooks says; who does not check signatures can ignore the headers.',
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
          '2XX': { description: 'It was taken.' },
          '4XX': { description: 'It was not, and is sent again.' },
          '5XX': { description: 'It was not, and is sent again.' },
        },
      },
    },
  };
}
