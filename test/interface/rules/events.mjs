/** What happens after a checkout. */
export const events = {
  section: 'Events',
  rules: {
    'EVT-1': 'After a successful checkout callbackUrl gets a POST.',
    'EVT-2': 'Its JSON body has transactionId and orderRef, both text.',
    'EVT-3': 'After a successful checkout the buyer goes to completeUrl, with transactionId and orderRef in its query.',
    'EVT-4': 'After a denial the buyer goes to errorUrl.',
    'EVT-5': 'Where no plan is offered the buyer goes to errorUrl.',
    'EVT-6': 'Where the link no longer works the buyer goes to errorUrl.',
    'EVT-8': 'After a fault on our side the buyer can go to errorUrl.',
    'EVT-7': 'A checkout that does not succeed is told to no callbackUrl.',
  },
};
