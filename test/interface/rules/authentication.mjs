/** Authentication of the merchant API. */
export const authentication = {
  section: 'Authentication',
  rules: {
    'AUTH-1': 'HTTP Basic: the API key is the username, the secret is the password.',
    'AUTH-2': 'Plain HTTP requests fail.',
    'AUTH-3': 'Requests without authentication fail with 401.',
    'AUTH-4': 'Sandbox and live have their own key pairs; a key pair of the other mode fails.',
  },
};
