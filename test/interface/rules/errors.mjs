/** Error responses. */
export const errors = {
  section: 'Errors',
  rules: {
    'ERR-1': '200 is success.',
    'ERR-2': '401 is an authentication error.',
    'ERR-3': '500 is a transaction error, such as an action that is not allowed or an unknown transaction.',
    'ERR-4': '400 is an order id that cannot be set.',
    'ERR-5': '400 is a cart that cannot be created.',
    'ERR-6': 'The body has a description, a string.',
    'ERR-7': 'The body has error, true.',
    'ERR-8': 'The body has type, INTERNAL_ERROR.',
    'ERR-9': 'An unknown or malformed id returns 500, and the description says that the id was invalid.',
    'ERR-10':
      'A declined card portion of an authorization returns 500, and the description names the decline and advises a retry in 1-3 business days.',
    'ERR-11': 'After a declined card, the transaction can be canceled.',
  },
};
