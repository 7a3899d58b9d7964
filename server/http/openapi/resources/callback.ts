import type { JsonSchema } from '../../../../shared/wire/annotations.ts';
import { Callback } from '../../../../shared/wire/cart.ts';
import { Event } from '../../../../shared/wire/event.ts';
import { type NamedSchema, objectSchema } from '../operation.ts';
import type { SchemaWriter } from '../schema-of.ts';
import type { WebhookObject } from '../types.ts';
import { exampleIds } from './carts.ts';
import { exampleEvent } from './events.ts';

export const callbackSchemas: readonly NamedSchema[] = [
  objectSchema(Callback, 'Callback', 'A completed checkout.', {
    transactionId: 'Id of the transaction. Retrieve it, compare its total, and authorize it.',
    orderRef: '`orderRef` of the cart, or empty.',
  }),
];

/** @see https://www.standardwebhooks.com */
const webhookHeaders = {
  'webhook-id': 'Id of the callback or event, the same in every attempt. Use it to recognize duplicates.',
  'webhook-timestamp': 'Time of this attempt in seconds since 1970. Reject requests older than a few minutes.',
  'webhook-signature':
    'One or more space-separated signatures: `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64.',
};

/** The request that the service sends after a successful checkout. */
export function describeCallback(writer: SchemaWriter): WebhookObject {
  return signedRequest({
    operationId: 'checkoutCompleted',
    tags: ['Carts'],
    summary: 'Checkout completed',
    description:
      "Sent to the cart's `callbackUrl` at least once, and retried for three days until the response is 2xx. Your server may retrieve and authorize the transaction before it responds.\n\nSigned as specified by Standard Webhooks; receivers that do not verify signatures can ignore the headers. The operator of the service creates the callback secret of a merchant and shows it with `fairterm callback-secret list`. It is `whsec_` followed by the key in base64: decode the part after `whsec_` to get the key of the HMAC. While a secret is being rotated there are two, and `webhook-signature` has a signature for each.",
    schema: writer.schemaOf(Callback, 'response'),
    example: { transactionId: exampleIds.transaction, orderRef: 'ORDER-1' },
  });
}

/** The request that the service sends to webhooks. */
export function describeEvent(writer: SchemaWriter): WebhookObject {
  return signedRequest({
    operationId: 'eventOccurred',
    tags: ['Webhooks'],
    summary: 'Event',
    description:
      'Sent to your webhooks at least once, and retried like a callback. Signed with the secrets of the webhook. `POST /webhooks/{webhookId}/test` sends an event of the type `webhook.test`, and later versions may send further types.',
    schema: writer.schemaOf(Event, 'response'),
    example: exampleEvent,
  });
}

type Described = Pick<WebhookObject, 'operationId' | 'tags' | 'summary' | 'description'> & {
  schema: JsonSchema;
  example: unknown;
};

function signedRequest({ schema, example, ...operation }: Described): WebhookObject {
  return {
    ...operation,
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': { description: 'Not received; retried.' },
      '5XX': { description: 'Not received; retried.' },
    },
  };
}
