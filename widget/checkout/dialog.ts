import type { CheckoutTexts } from '../texts/english-checkout.ts';

/**
 * Shows the checkout over the shop's page. The dialog is the browser's own: it keeps the focus in it, and gives it back.
 *
 * @param onClose - Called after the buyer has closed it.
 */
export function openDialog(
  root: ShadowRoot,
  url: string,
  locale: string,
  texts: CheckoutTexts,
  onClose: () => void,
): HTMLDialogElement {
  const make = document.createElement.bind(document);
  const dialog = Object.assign(make('dialog'), { ariaLabel: texts.checkout, lang: locale, onclose: onClose });
  const close = Object.assign(make('button'), {
    ariaLabel: texts.closeCheckout,
    textContent: '×',
    onclick: () => dialog.close(),
  });
  const frame = Object.assign(make('iframe'), { title: texts.checkout, src: url });
  dialog.part.add('checkout');
  dialog.append(close, frame);
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * As large as the checkout likes to be, and all there is of a small screen. The rest stands in the element's own sheet.
 *
 * What could be scrolled keeps the page behind it from being scrolled.
 */
export const sheet = new CSSStyleSheet();
sheet.replaceSync(/* css */ `
  [part='checkout'] {
    inline-size: min(48rem, 100%);
    block-size: min(60rem, 100%);
    max-inline-size: none;
    max-block-size: none;
    padding: 0;
    text-align: end;
  }
  [part='checkout'] button {
    inline-size: 48px;
    block-size: 48px;
    font-size: 1.75em;
    text-decoration: none;
  }
  iframe {
    display: block;
    inline-size: 100%;
    block-size: calc(100% - 48px);
    border: 0;
  }
  [part='checkout'],
  [part='checkout']::backdrop {
    overflow: auto;
    overscroll-behavior: contain;
  }
  @media (max-width: 48rem) {
    [part='checkout'] {
      border: 0;
      border-radius: 0;
    }
  }
  :host(:state(busy)) [part='button'] {
    cursor: progress;
    opacity: 0.7;
  }
`);
