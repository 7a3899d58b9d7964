/** Which moves there are, and what each needs. */
export const states = {
  section: 'States and transitions',
  rules: {
    'STATE-1': 'A completed checkout makes the transaction PENDING, readable by its id from then on.',
    'STATE-2': 'authorize: PENDING becomes AUTHORIZED; no other status can be authorized.',
    'STATE-3': 'authorize: a merchantOrderId sent along is kept on the transaction.',
    'STATE-4': 'authorize: the amount stays what the buyer agreed to.',
    'STATE-5': 'cancel, of everything: PENDING or AUTHORIZED becomes CANCELED, with an adjustedTotal of 0.',
    'STATE-6': 'cancel: with neither amount nor lineItems, everything.',
    'STATE-7': 'cancel: not once it is settled.',
    'STATE-8': 'settle, after a cancel in part: only what was not canceled is paid.',
    'STATE-9': 'settle: AUTHORIZED becomes SETTLED, and payment of the amount begins.',
    'STATE-10': 'refund: only of what is SETTLED; of everything, it becomes REFUNDED.',
    'STATE-11': 'refund: without lineItems and with no amount but 0, everything.',
    'STATE-12': 'No other moves: each is refused in each other status, and changes nothing.',
    'STATE-13': 'A cart that was expired shows an error to whoever opens its link.',
    'STATE-14': 'A cart is never changed; another is made instead.',
  },
};
