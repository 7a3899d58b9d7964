/** Callback and redirects after a checkout. */
export const events = {
  section: 'Events',
  rules: {
    'EVT-1': 'After a successful checkout, callbackUrl receives a POST.',
    'EVT-2': 'Its JSON body has transactionId and orderRef, both strings.',
    'EVT-3': 'After a successful checkout, the buyer is redirected to completeUrl with transactionId and orderRef in the query.',
    'EVT-4': 'After a denial, the buyer can continue to errorUrl.',
    'EVT-5': 'Without a financing offer, the buyer is redirected to errorUrl.',
    'EVT-6': 'An expired approval redirects the buyer to errorUrl.',
    'EVT-8': 'After a technical failure, the buyer can continue to errorUrl.',
    'EVT-7': 'An unsuccessful checkout sends no callback.',
  },
};
