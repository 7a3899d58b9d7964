/** Requests and expectations of production clients. */
export const clients = {
  section: 'What production clients rely on',
  rules: {
    'CLIENT-1': 'Actions and shipments return exactly 200 with the whole transaction and its exact status.',
    'CLIENT-2': 'Every field that clients read is present: fullName always, lists never null, totalTax possibly null.',
    'CLIENT-3': 'No success body has a key named error, with any value.',
    'CLIENT-4':
      'Authorize, cancel the difference, settle: AUTHORIZED in between; a repeated settle finds the transaction SETTLED.',
    'CLIENT-5':
      'The description of a declined card contains the sentence that clients look for; the transaction is PENDING and can be canceled.',
    'CLIENT-6': 'The response to an invalid id has exactly three fields.',
    'CLIENT-7': 'A shipment is accepted before and after settling.',
    'CLIENT-8': 'REFUNDED means fully refunded; until then the transaction is SETTLED and can be refunded again.',
    'CLIENT-9': 'Creating a cart returns 200 with id and url, with and without a trailing slash in the path.',
    'CLIENT-10': 'expiration may be absent or today; createdBy is accepted at both places; cartName is an option.',
    'CLIENT-11': 'Unknown fields that clients send are ignored.',
    'CLIENT-12': 'customTotal overrides costs that do not add up to it; 437.0 is an integer; tax is accepted with items.',
    'CLIENT-13':
      'Contacts have a full name, first and last name, or all of them; phone numbers in any format and ZIP+4 are optional.',
    'CLIENT-14': 'An order without shipping has one option at no cost; its typeId becomes shippingMethodCode.',
    'CLIENT-15': 'Expire accepts no body, {} and [], and returns 204 without a body, also for a cart that has ended.',
    'CLIENT-16': 'E-mail and text return a message; an unknown cart returns 404.',
    'CLIENT-17': 'The url of a cart is a short opaque link.',
    'CLIENT-18': 'completeUrl may have a query; errorUrl is used verbatim, without a transactionId.',
    'CLIENT-19': 'The receiver of a callback may retrieve and authorize the transaction before it responds 200 or 204.',
    'CLIENT-20': 'Without a callbackUrl, the page at completeUrl authorizes the transaction.',
    'CLIENT-21': 'JSON is parsed with any Content-Type; a GET may have a body; the first request is authenticated.',
    'CLIENT-22': 'As low as accepts amounts from $1.00, with the figures that clients know.',
    'PAGE-1': 'The configuration of a button is accepted for a cart: items, discounts, shippingOptions, tax, customTotal.',
    'PAGE-2': 'The shippingContact and billingContact of a button are accepted for a cart.',
    'PAGE-3': 'The financingProgramId of a button may be null.',
    'PAGE-4': 'disableEditShipping and requireShippingContact of a button decide what the checkout requests.',
    'PAGE-5': 'Fields that only the page needs are accepted: asLowAs, actAsLabel, allowCheckout, buttonLocation, showInWindow.',
    'PAGE-6': 'A button without a cart shows only the estimate.',
    'PAGE-7': 'The page gets an event before the checkout opens, and may open another one.',
  },
};
