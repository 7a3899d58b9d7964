/** What the service is for, its addresses and its versions. */
export const overview = {
  section: 'The service',
  rules: {
    'SVC-1': 'Only a completed checkout makes a transaction; one that is denied or given up leaves none.',
    'SVC-2': 'A merchant prepares carts, each with a checkout link for the buyer.',
    'SVC-3': 'In the sandbox no lender is asked: a test buyer is approved or denied by documented inputs.',
    'SVC-4': 'In the sandbox no e-mail and no text reaches a customer.',
    'SVC-5': 'Bodies, asked and answered, are JSON.',
    'VER-1': 'No path of the merchant API has a version in it.',
  },
};
