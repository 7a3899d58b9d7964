/** The service as a whole, and its versions. */
export const overview = {
  section: 'The service',
  rules: {
    'SVC-1': 'Only a completed checkout creates a transaction; a denied or abandoned one does not.',
    'SVC-2': 'A merchant creates carts, each with a checkout link for the buyer.',
    'SVC-3': 'The sandbox originates no loan: documented test inputs approve or deny a test buyer.',
    'SVC-4': 'The sandbox sends no e-mail and no text to customers.',
    'SVC-5': 'Request and response bodies are JSON.',
    'VER-1': 'No path of the merchant API has a version.',
  },
};
