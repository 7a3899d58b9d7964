/** Who may call. */
export const authentication = {
  section: 'Authentication',
  rules: {
    'AUTH-1': 'HTTP Basic: the API key is the user name, the secret the password.',
    'AUTH-2': 'Plain HTTP fails.',
    'AUTH-3': 'Without authentication: 401.',
    'AUTH-4': "Sandbox and live each have key pairs of their own; the other's fail.",
  },
};
