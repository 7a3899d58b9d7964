/**
 * What is said while the checkout is open on the page or in a window. The files of other languages have these words too, beside
 * those of `english`.
 */
export const englishCheckout = {
  /** The window while there is no checkout in it yet. */
  opening: 'Opening the checkout',
  /** The dialog it is shown in. */
  checkout: 'Checkout',
  closeCheckout: 'Close checkout',
};

export type CheckoutTexts = typeof englishCheckout;
