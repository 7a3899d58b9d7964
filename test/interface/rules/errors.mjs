/** How no is said. */
export const errors = {
  section: 'Errors',
  rules: {
    'ERR-1': '200: success.',
    'ERR-2': '401: authentication.',
    'ERR-3': '500: a transaction that cannot do what is asked of it, or is none.',
    'ERR-4': '400: an order id that cannot be set.',
    'ERR-5': '400: a cart that cannot be made as asked.',
    'ERR-6': 'The body has a description, text.',
    'ERR-7': 'The body has error, true.',
    'ERR-8': 'The body has type, INTERNAL_ERROR.',
    'ERR-9': 'An id that is unknown or malformed: 500, and the description says that it was invalid.',
    'ERR-10':
      'A card that declines its part of an authorization: 500, and the description says so and to try again in 1-3 business days.',
    'ERR-11': 'After a declined card the transaction can be canceled.',
  },
};
