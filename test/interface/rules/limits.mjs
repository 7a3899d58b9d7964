/** Limits of the interface, and our own where it defines none. */
export const limits = {
  section: 'Limits',
  rules: {
    'LIM-1': 'The phone of a contact has exactly 10 digits.',
    'LIM-2': 'A cancel is at most the original amount, and never more than the remaining amount.',
    'LIM-3': 'A refund is at most the original amount, and never more than the remaining amount.',
    'LIM-4': 'Ours: every string has a maximum length, which is accepted; one character more is rejected.',
    'LIM-5': 'Ours: every list has a maximum length, which is accepted; one entry more is rejected.',
    'LIM-6': 'Ours: amounts to $999,999,999.99 and quantities to 10,000 are accepted; one more is rejected.',
    'LIM-7': 'Ours: a body above 1 MB is rejected with 413.',
    'LIM-8': 'Ours: nesting beyond 32 levels is rejected.',
    'LIM-10': 'Ours: a compressed body above 128 KiB is rejected.',
  },
};
