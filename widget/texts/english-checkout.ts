/**
 * What is said while the checkout is open on the page or in a window. The files of other languages have these words too, beside
 * those of `english`.
 */
export const englishCheckout = {
  /** While it is being opened. */
  opening: 'Opening the checkout',
  /** The frame it is shown in. */
  checkout: 'Checkout',
  closeCheckout: 'Close checkout',
  /** The window it is shown in. */
  elsewhere: 'The checkout is open in another window.',
  show: 'Go to that window',
};

export type CheckoutTexts = typeof englishCheckout;
