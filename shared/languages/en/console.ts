/** Texts of the console in English. */
export const consoleTexts = {
  emails: {
    invitation: {
      subject: 'Your invitation to the console of {merchant}',
      intro: '{merchant} has invited you to the console for its orders and settings.',
      button: 'Accept the invitation',
      until: 'The link works once, within 7 days.',
      unexpected: 'If you did not expect this e-mail, you can ignore it.',
    },
    'sign-in': {
      subject: 'Sign in to the console of {merchant}',
      intro: 'Open this link in the browser in which you asked for it, to sign in to the console of {merchant}.',
      button: 'Sign in',
      until: 'The link works once, within 15 minutes.',
      unexpected: 'If you did not ask for it, you can ignore this e-mail: nobody has signed in.',
    },
  },
};

export type ConsoleTexts = typeof consoleTexts;
