import type { WidgetTexts } from '../../shared/languages/en/widget.ts';

/**
 * Opens the checkout in a modal dialog over the page. The browser traps the focus in it, and restores the focus afterwards.
 *
 * @param onClose - Called after the buyer has closed the dialog.
 */
export function openDialog(
  root: ShadowRoot,
  url: string,
  locale: string,
  texts: WidgetTexts,
  onClose: () => void,
): HTMLDialogElement {
  const dialog = Object.assign(document.createElement('dialog'), { ariaLabel: texts.checkout, lang: locale, onclose: onClose });
  const close = Object.assign(document.createElement('button'), {
    ariaLabel: texts.closeCheckout,
    textContent: '×',
    onclick: () => dialog.close(),
  });
  const frame = Object.assign(document.createElement('iframe'), { title: texts.checkout, src: url });
  dialog.part.add('checkout');
  dialog.append(close, frame);
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Styles of the dialog, in addition to those of the element. It fills a small screen, and has the buyer's color scheme like the
 * checkout. The scrollable backdrop prevents scrolling of the page behind it.
 */
export const dialogStyles = new CSSStyleSheet();
dialogStyles.replaceSync(/* css */ `
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
