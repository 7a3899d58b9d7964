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
 * As large as the checkout likes to be, and all there is of a small screen. It is dark when the buyer's system is, as the checkout.
 * What could be scrolled keeps the page behind it from being scrolled. The rest stands in the element's own sheet.
 */
export const sheet = new CSSStyleSheet();
sheet.replaceSync(/* css */ `
  [part='checkout'] {
    display: grid;
    grid-template-rows: auto 1fr;
    justify-items: end;
    inline-size: 48rem;
    block-size: 60rem;
    max-inline-size: 100%;
    max-block-size: 100%;
    padding: 0;
    color-scheme: light dark;
  }
  [part='checkout'] button {
    inline-size: 48px;
    block-size: 48px;
    font-size: 2em;
    text-decoration: none;
  }
  iframe {
    inline-size: 100%;
    block-size: 100%;
    border: 0;
  }
  [part='checkout'],
  ::backdrop {
    overflow: auto;
    overscroll-behavior: contain;
  }
  ::backdrop {
    background: #0008;
  }
  @media (max-width: 48rem) {
    [part='checkout'] {
      border: 0;
      border-radius: 0;
    }
  }
  :host(:state(busy)) [part='button'] {
    opacity: 0.6;
  }
`);
