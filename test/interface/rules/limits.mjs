/** How much is too much. What the interface does not limit, we do. */
export const limits = {
  section: 'Limits',
  rules: {
    'LIM-1': 'The phone of a contact: 10 digits, not one more or less.',
    'LIM-2': 'A cancel: at most the original amount, and never more than is left.',
    'LIM-3': 'A refund: at most the original amount, and never more than is left.',
    'LIM-4': 'Ours: every text has a length, which is taken and one character more is not.',
    'LIM-5': 'Ours: every list has a length, which is taken and one entry more is not.',
    'LIM-6': 'Ours: amounts to $999,999,999.99 and quantities to 10,000 are taken, and one more is not.',
    'LIM-7': 'Ours: a body above 1 MB is refused with 413.',
    'LIM-8': 'Ours: nesting beyond 32 levels is refused.',
    'LIM-9': 'Ours: JSON of more than 20,000 values is refused.',
    'LIM-10': 'Ours: a body compressed to less than a hundredth is refused above 128 KiB.',
  },
};
