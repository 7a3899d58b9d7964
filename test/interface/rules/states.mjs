/** Transitions and their conditions. */
export const states = {
  section: 'States and transitions',
  rules: {
    'STATE-1': 'A completed checkout creates a PENDING transaction, which can be retrieved by its id.',
    'STATE-2': 'authorize: PENDING becomes AUTHORIZED; any other status is rejected.',
    'STATE-3': 'authorize: a merchantOrderId is stored on the transaction.',
    'STATE-4': 'authorize: the amount remains what the buyer agreed to.',
    'STATE-5': 'cancel, in full: PENDING or AUTHORIZED becomes CANCELED, with an adjustedTotal of 0.',
    'STATE-6': 'cancel: without amount and lineItems, cancels everything.',
    'STATE-7': 'cancel: rejected after settlement.',
    'STATE-8': 'settle, after a partial cancel: pays only the amount that is not canceled.',
    'STATE-9': 'settle: AUTHORIZED becomes SETTLED, and payment of the amount is initiated.',
    'STATE-10': 'refund: only SETTLED transactions; a full refund becomes REFUNDED.',
    'STATE-11': 'refund: without lineItems and without a non-zero amount, refunds everything.',
    'STATE-12': 'All other transitions are rejected and change nothing.',
    'STATE-13': 'Opening the link of an expired cart shows an error.',
    'STATE-14': 'A cart cannot be updated; a new one is created instead.',
  },
};
