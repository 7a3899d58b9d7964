/** Choices that the interface leaves open (server/decisions). */
export const choices = {
  section: 'Our choices',
  rules: {
    'CHOICE-1': 'Actions and shipments return 200 and the whole transaction.',
    'CHOICE-2': 'A success body has no key named error.',
    'CHOICE-3': 'A PENDING transaction cannot be settled.',
    'CHOICE-4':
      'A partial cancel keeps the status and reduces adjustedTotal; the rest can be settled; at 0 the transaction is CANCELED.',
    'CHOICE-5': 'A partial refund leaves the transaction SETTLED; at 0 it is REFUNDED.',
    'CHOICE-6':
      'A cancel or refund without amount and lineItems, and a refund with amount 0, covers the remaining amount; a cancel with amount 0 is rejected.',
    'CHOICE-7':
      'With amount and lineItems, the amount is canceled or refunded and the line items are recorded; neither exceeds the remaining quantity of a sku.',
    'CHOICE-8': 'A wrong state, an amount that is too large and a repeated settle return 500 with a code.',
    'CHOICE-9': "The id of another merchant's transaction gets the same response as an unknown id, byte for byte.",
    'CHOICE-10': 'Invalid JSON or an invalid field returns 400 with the path, the expected and the received value.',
    'CHOICE-11': "An unknown cart returns 404; another merchant's cart gets the same response.",
    'CHOICE-12': 'Expiring an expired or completed cart returns 204 again.',
    'CHOICE-13': 'A PENDING transaction expires after 7 days.',
    'CHOICE-14': 'An AUTHORIZED transaction that is not settled expires after 90 days.',
    'CHOICE-15': 'Creating, e-mailing and texting a cart, and as low as, return 200.',
    'CHOICE-16':
      'A contact has a fullName, or firstName and lastName; email, phone, address2 and zip are optional; ZIP+4 is accepted.',
    'CHOICE-17': 'imageUrl, detailUrl and sku of an item may be empty; the URLs may be null.',
    'CHOICE-18': 'Unknown fields are ignored.',
    'CHOICE-19': 'expiration defaults to seven days from today; today in any US time zone is valid through the end of that day.',
    'CHOICE-20': 'customTotal is allowed with items, overrides them, and need not be their sum; 437.0 is an integer.',
    'CHOICE-21': 'A body is parsed as JSON with any Content-Type, also on a PUT that is labeled as a form.',
    'CHOICE-22': 'A trailing slash is accepted.',
    'CHOICE-23': 'A body on a GET is ignored.',
    'CHOICE-24': '[] as the body of expire is ignored.',
    'CHOICE-25': 'Ids are lower-case UUIDs that sort by time.',
    'CHOICE-26': 'The checkout link of a cart has an unguessable code instead of the id.',
    'CHOICE-27': 'createdAt is RFC 3339 in UTC with microseconds.',
    'CHOICE-28': 'lineItems have id, sku, price, quantity and product; without items the list is [].',
    'CHOICE-29': 'shippingMethodCode is the typeId of the chosen option; shippingMethodName is its type.',
    'CHOICE-30':
      'completeUrl: the parameters are appended to an existing query with &, and replace its own of the same names; the fragment is kept.',
    'CHOICE-31': 'errorUrl is used verbatim and never gets a transactionId.',
    'CHOICE-32': 'The body of a callback is exactly transactionId and orderRef.',
    'CHOICE-33': 'A callback is sent after its transaction is committed.',
    'CHOICE-34': 'Any 2xx response ends the retries of a callback.',
    'CHOICE-35': 'A callback is retried with growing, jittered waits for three days.',
    'CHOICE-36': 'A callback is signed with the headers of Standard Webhooks.',
    'CHOICE-37': 'A declined card returns 500 with the sentence that clients look for; the transaction stays PENDING.',
    'CHOICE-38': 'A level payment at apr/12, rounded half up; 50000 at 9.99 % over 24 months is 2307, 74000 is 3414.',
    'CHOICE-39': 'Every merchant starts with the standard program, from $50 to $30,000.',
    'CHOICE-40':
      'An amount outside every offer returns 200 with monthly 0, an empty amount, the APR range, and a text with the financed range.',
    'CHOICE-41': 'The sandbox lender decides by documented test inputs.',
    'CHOICE-42':
      'A cancel or refund without amount and lineItems is rejected if an unknown field has a similar name, or a number or a list.',
    'CHOICE-43': 'An amount of authorize or settle that differs from the remaining amount is rejected.',
  },
};
