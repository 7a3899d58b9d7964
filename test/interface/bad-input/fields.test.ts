/**
 * Every field of every request, with its limits. `test/server/http/openapi/schema-of.test.ts` compares what the service accepts in each of
 * them with the same schemas.
 */
import { expect, it } from 'vitest';
import { namedStructs, operationsIn } from '../../../server/http/openapi/document.ts';
import { SchemaWriter } from '../../../server/http/openapi/schema-of.ts';
import type { JsonSchema } from '../../../shared/wire/annotations.ts';

/** A question mark means that the field may be omitted. A line has no line breaks. */
const FIELDS = `
CreateCartRequest
  expiration?: date or empty or null
  createdBy?: text of 0 to 200 or null
  cartName?: text of 0 to 200 or null
  options: CartOptions
CartOptions
  orderRef?: line of 0 to 200 or null
  callbackUrl?: URL of 0 to 2000 or empty or null
  completeUrl?: URL of 0 to 2000 or empty or null
  errorUrl?: URL of 0 to 2000 or empty or null
  createdBy?: text of 0 to 200 or null
  cartName?: text of 0 to 200 or null
  financingProgramId?: text of 0 to 64 or null
  items?: 0 to 500 × CartItem or null
  discounts?: 0 to 100 × Discount or null
  shippingOptions?: 0 to 50 × ShippingOption or null
  shippingContact?: ContactInput or null
  billingContact?: ContactInput or null
  disableEditShipping?: boolean or null
  requireShippingContact?: boolean or null
  customTotal?: 1 to 99999999999 or null
  tax?: 0 to 99999999999 or null
  metadata?: 0 to 50 × line of 1 to 40: text of 0 to 500 or null
  buyerId?: uuid or empty or null
CartItem
  name?: text of 0 to 500 or null
  sku: text of 0 to 200
  price: 0 to 99999999999
  quantity: 1 to 10000
  imageUrl: text of 0 to 2000 or null
  detailUrl: text of 0 to 2000 or null
Discount
  amount: 1 to 99999999999
  description: text of 1 to 500
ShippingOption
  type: text of 1 to 200
  typeId: line of 1 to 200
  cost: 0 to 99999999999
ContactInput
  fullName?: text of 0 to 200 or null
  firstName?: text of 0 to 100 or null
  lastName?: text of 0 to 100 or null
  address: text of 1 to 200
  address2?: text of 0 to 200 or null
  city: text of 1 to 100
  state: state
  zip?: zip or empty or null
  email?: e-mail of 0 to 254 or empty or null
  phone?: phone or empty or null
EmailCartRequest
  email: e-mail of 0 to 254
  name: line of 1 to 200
TextCartRequest
  phone: phone
OrderIdRequest
  merchantOrderId?: line of 0 to 200 or null
ActionRequest: AuthorizeRequest or SettleRequest or CancelRequest or RefundRequest
AuthorizeRequest
  type: authorize
  lineItems?: 0 to 500 × AuthorizedLine or null
  merchantOrderId?: line of 0 to 200 or null
  amount?: 1 to 99999999999 or null
AuthorizedLine
  price: 0 to 99999999999
  quantity: 1 to 10000
  sku?: text of 0 to 200 or null
  product: AuthorizedProduct
AuthorizedProduct
  name: text of 0 to 500
  sku: text of 0 to 200
  imageUrl: text of 0 to 2000 or null
  detailUrl: text of 0 to 2000 or null
SettleRequest
  type: settle
  amount?: 1 to 99999999999 or null
CancelRequest
  type: cancel
  amount?: 1 to 99999999999
  lineItems?: 0 to 500 × LineCount or null
  reference?: ^[A-Za-z0-9._:/#-]{1,100}$ or empty or null
  reason?: text or null
LineCount
  sku: text of 0 to 200
  quantity: 1 to 5000000
RefundRequest
  type: refund
  amount?: 0 to 99999999999
  lineItems?: 0 to 500 × LineCount or null
  reference?: ^[A-Za-z0-9._:/#-]{1,100}$ or empty or null
  reason?: text or null
ShipmentRequest
  trackingNumber?: line of 0 to 200 or null
  carrierName?: line of 0 to 200 or null
CreateWebhookRequest
  url: URL of 0 to 2000
  types?: 1 to 50 × EventType or null
EventType: cart.expired/application.approved/application.denied/application.expired/transaction.created/transaction.authorized/transaction.settled/transaction.canceled/transaction.refunded/transaction.expired/transaction.card_declined/transaction.card_capture_failed/transaction.card_captured/shipment.updated
ReplayRequest
  eventId: uuid
AsLowAsRequest
  customTotal: 1 to 99999999999
  financingProgramId?: text of 0 to 64 or null
AuthorizeServiceRequest
  apiKey?: line of 0 to 200 or null
  secret?: line of 0 to 200 or null
TokenRequest
  grant_type: client_credentials
  scope?: r:application
  client_id?: line of 0 to 200
  client_secret?: line of 0 to 200
CheckoutRequest
  cartId: text
  outcome?: CheckoutOutcome or null
CheckoutOutcome: approved/denied/remainder-declined
ClockRequest
  now: date-time
OpenCartRequest
  key: line of 1 to 80
  idempotencyKey: uuid
  options: CartOptions
`;

/** The format of a text by a part of its pattern. */
const FORMATS = Object.entries({
  text: '[^\\x00-\\x08\\x0b',
  line: '[^\\x00-\\x08\\x0a',
  URL: '^[Hh][Tt]',
  state: '[Aa][Ll]|',
  zip: '[0-9]{5}(',
  'e-mail': '^\\s*[A-Za-z0-9!#',
  phone: '([0-9][\\s',
});

function described({ $ref, anyOf, oneOf, type, enum: choices, ...rest }: JsonSchema): string {
  const alternatives = oneOf ?? anyOf;
  if ($ref) return $ref.split('/').at(-1)!;
  if (alternatives) return alternatives.map(described).join(' or ');
  if (choices) return choices.join('/') || 'empty';
  const [only, ...others] = [type].flat();
  const orNull = others.includes('null') ? ' or null' : '';
  const { minimum, maximum, minItems = 0, maxItems, items, minLength = 0, maxLength, maxProperties } = rest;
  if (only === 'integer') return `${minimum} to ${maximum}${orNull}`;
  if (only === 'array') return `${minItems} to ${maxItems} × ${described(items!)}${orNull}`;
  if (maxProperties) {
    const { propertyNames, additionalProperties } = rest as { propertyNames: JsonSchema; additionalProperties: JsonSchema };
    return `0 to ${Number(maxProperties)} × ${described(propertyNames)}: ${described(additionalProperties)}${orNull}`;
  }
  if (only !== 'string') return `${only}${orNull}`;
  if (maxLength === 0) return 'empty';
  const pattern = typeof rest['pattern'] === 'string' ? rest['pattern'] : '';
  const format = rest.format ?? FORMATS.find(([, part]) => pattern.includes(part))?.[0] ?? (pattern || 'text');
  return `${format}${maxLength === undefined ? '' : ` of ${minLength} to ${maxLength}`}${orNull}`;
}

it('Every field of a request has its type and its limits [LIM-4] [LIM-5] [LIM-6] [CART-12] [CART-21] [CART-22] [CART-26] [CART-27] [CART-28] [CART-39] [CART-42] [TX-5] [TX-7] [TX-19] [TX-20] [ALA-1] [ALA-2]', () => {
  const writer = new SchemaWriter(namedStructs);
  for (const { request } of operationsIn('sandbox')) if (request) writer.schemaOf(request.body, 'request');
  const lines = Object.entries(writer.components).flatMap(([name, schema]) => {
    const { properties = {}, required = [] } = schema as JsonSchema & { required?: string[] };
    const fields = Object.entries(properties).map(
      ([field, value]) => `  ${field}${required.includes(field) ? '' : '?'}: ${value && described(value)}`,
    );
    return fields.length > 0 ? [name, ...fields] : [`${name}: ${described(schema)}`];
  });
  expect(lines.join('\n')).toBe(FIELDS.trim());
});
