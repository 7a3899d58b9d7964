import { widgetCheckout as english } from '../shared/languages/en/widget.ts';
import type { CartOptions } from '../shared/wire/cart.ts';
import { serviceUrl } from './attributes.ts';
import { keepClicksInDialog } from './dialog-clicks.ts';
import { emit, type FinancingClose, FinancingError } from './events.ts';
import type { FinancingButton } from './financing-button.ts';
import type { ModuleContext } from './lazy-modules.ts';

const WINDOW_WIDTH = 520;
const WINDOW_HEIGHT = 760;

/** Polling interval of `popup.closed`: browsers have no event for it. */
const POLL_MS = 500;

/** Timeout of the request that creates a cart. */
const TIMEOUT_MS = 20_000;

/** A checkout that is open, or opening. */
interface Checkout {
  /** Base URL of the service with a trailing slash. */
  service: string;
  popup: Window | null | undefined;
  dialog?: HTMLDialogElement;
  pollTimer?: ReturnType<typeof setInterval>;
  /** True if the window shows the checkout, false while it shows the placeholder. */
  isReady: boolean;
  /** Reason to report when it closes; undefined after a purchase. */
  closeReason: FinancingClose['reason'] | undefined;
}

/**
 * Opens the checkouts of one button, one at a time, in a window, a dialog or the same tab. Reports errors as events.
 *
 * @returns A function that removes the listeners and an open checkout.
 */
export function start({ element, internals, language, enableCheckout }: ModuleContext): () => void {
  const root = element.shadowRoot!;
  let current: Checkout | undefined;
  let lastOptions: string | undefined;
  let idempotencyKey = '';
  if (!root.adoptedStyleSheets.includes(dialogStyles)) root.adoptedStyleSheets.push(dialogStyles);

  /** Accepts only messages from the opened window or frame, and only from the origin of the service. */
  const onMessage = ({ isTrusted, origin, source, data }: MessageEvent): void => {
    const { popup, dialog, service } = current!;
    const opened = popup ?? dialog?.querySelector('iframe')?.contentWindow;
    // Scripts of the page can dispatch untrusted events. The URL of the service may have a path; origins have none.
    const isFromCheckout = isTrusted && source && source === opened && service.startsWith(`${origin}/`);
    if (!isFromCheckout || !isCheckoutMessage(data)) return;
    const { transactionId, orderRef, errorUrl } = data;
    // With the same key, the service would return the cart that has ended.
    lastOptions = undefined;
    current!.closeReason = transactionId ? undefined : 'not-completed';
    if (!transactionId) return leave(errorUrl);
    // The dialog stays open, so that the buyer can read the confirmation.
    if (popup) stop();
    else removeEventListener('message', onMessage);
    emit(element, 'financing-complete', { transactionId, orderRef });
  };

  /** Navigates to the cart's `errorUrl` unless the page cancels the event. Ignores other values, which a newer service may send. */
  const leave = (errorUrl: unknown): void => {
    if (typeof errorUrl !== 'string' || !/^https?:/i.test(errorUrl)) return;
    stop();
    if (emit(element, 'financing-close', { reason: 'not-completed', errorUrl }, true)) location.assign(errorUrl);
  };

  const stop = (): void => {
    if (!current) return;
    const { popup, dialog, isReady, pollTimer } = current;
    current = undefined;
    setBusy(false);
    clearInterval(pollTimer);
    removeEventListener('message', onMessage);
    // Closing restores the focus to the button.
    dialog?.close();
    dialog?.remove();
    // A window that shows a checkout stays open, because the checkout works without this page.
    if (!isReady) popup?.close();
  };

  const onClosed = (checkout: Checkout): void => {
    const { closeReason } = checkout;
    if (checkout !== current) return;
    stop();
    if (closeReason) emit(element, 'financing-close', { reason: closeReason });
  };

  const setBusy = (isBusy: boolean): void => {
    try {
      internals.states[isBusy ? 'add' : 'delete']('busy');
    } catch {
      // Browsers before 2024 have no custom states, or require two dashes before their names.
    }
  };

  const open = async (click: MouseEvent): Promise<void> => {
    const { apiKey, mode, service } = element;
    const button = root.querySelector<HTMLAnchorElement>('[part=button]')!;
    // The page may have canceled the click.
    if (click.defaultPrevented || !click.composedPath().includes(button)) return;
    // Undefined for a button that creates a cart.
    const link = button.href;
    // Phones open windows as tabs, and in-app browsers cannot open windows.
    const isPopup = mode === 'popup' && !matchMedia('(pointer: coarse)').matches;
    const isNewTab = click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
    if (link && (isNewTab || !(isPopup || mode === 'modal'))) return;
    click.preventDefault();
    if (current) return current.popup?.focus();

    const { locale, translation } = language();
    const texts = { ...english, ...translation?.widgetCheckout };
    // Opened synchronously, because browsers block windows that are opened later. If it is blocked, the page itself navigates.
    const popup = isPopup ? openWindow(link && withDisplay(link, 'popup'), texts.opening) : undefined;
    const checkout: Checkout = (current = {
      popup,
      service: `${serviceUrl(service) ?? ''}/`,
      isReady: !!link,
      closeReason: 'closed',
    });
    addEventListener('message', onMessage);
    let polls = 0;
    // The last message of a window may arrive after it is closed, so closing is handled at the second poll.
    if (popup) checkout.pollTimer = setInterval(() => popup.closed && polls++ && onClosed(checkout), POLL_MS);

    let url: string | undefined = link;
    try {
      if (!url) {
        setBusy(true);
        const options = cartOptionsOf(element);
        const serialized = toJson(options);
        // A blob URL ends with a random UUID. `crypto.randomUUID` requires a secure context.
        if (serialized !== lastOptions) idempotencyKey = URL.createObjectURL(new Blob()).slice(-36);
        lastOptions = serialized;
        url = await withTimeout(createCart(checkout.service, apiKey, idempotencyKey, options));
      }
    } catch (error) {
      if (checkout !== current) return;
      stop();
      emit(element, 'financing-error', new FinancingError('checkout', String(error)));
      return;
    }
    if (checkout !== current) return;
    setBusy(false);
    checkout.isReady = true;
    if (popup && !link) popup.location = withDisplay(url, 'popup');
    else if (mode === 'modal') {
      checkout.dialog = openDialog(root, withDisplay(url, 'frame'), locale, texts, () => onClosed(checkout));
    } else if (!popup) {
      stop();
      location.assign(url);
    }
  };

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- clicks are mouse events
  const onClick = (click: Event): void => void open(click as MouseEvent);
  root.addEventListener('click', onClick);
  // From now on, the element can render a button that creates a cart.
  enableCheckout();
  return () => {
    stop();
    root.removeEventListener('click', onClick);
  };
}

type Options = { [Name in keyof CartOptions]?: CartOptions[Name] | undefined };

/** Returns the options of the cart that the page describes. */
function cartOptionsOf(button: FinancingButton): Options {
  return {
    financingProgramId: button.program ?? undefined,
    items: button.items,
    discounts: button.discounts,
    shippingOptions: button.shippingOptions,
    tax: button.tax,
    customTotal: button.customTotal,
    shippingContact: button.shippingContact,
    billingContact: button.billingContact,
    orderRef: button.orderRef,
    completeUrl: button.completeUrl,
    errorUrl: button.errorUrl,
    callbackUrl: button.callbackUrl,
    disableEditShipping: button.disableEditShipping,
  };
}

/**
 * Creates a cart and returns the URL of its checkout.
 *
 * @param service        - Base URL of the service with a trailing slash.
 * @param apiKey         - The merchant's public API key.
 * @param idempotencyKey - A UUID. The service returns the same cart for the same key and options.
 * @throws Error if the request fails. The message contains the response of the service.
 */
async function createCart(service: string, apiKey: unknown, idempotencyKey: string, options: Options): Promise<string> {
  // A `text/plain` body without custom headers needs no CORS preflight.
  const response = await fetch(new URL('storefront/carts', service), {
    method: 'POST',
    body: toJson({ key: apiKey, idempotencyKey, options }),
    credentials: 'omit',
  });
  if (!response.ok) throw new Error(await response.text());
  const { url } = await response.json();
  return new URL(url).href;
}

/** `JSON.stringify` without the `toJSON` that old libraries add to arrays, which would become strings. */
function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, replaced: unknown) {
    return Array.isArray(this[key]) ? this[key] : replaced;
  });
}

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, TIMEOUT_MS, 'no response in time'))]);

/**
 * Opens a window centered over the page, or returns null if the browser blocks it.
 *
 * The window has no name, because a frame of the page with the same name would be navigated to the checkout.
 *
 * @param url         - Empty to show the placeholder.
 * @param placeholder - Text to show until the cart is created.
 */
function openWindow(url: string, placeholder: string): Window | null {
  const left = screenX + (outerWidth - WINDOW_WIDTH) / 2;
  const top = screenY + (outerHeight - WINDOW_HEIGHT) / 2;
  const features = `popup,width=${WINDOW_WIDTH},height=${WINDOW_HEIGHT},left=${left},top=${top}`;
  const opened = window.open(url || 'about:blank', '_blank', features);
  if (opened && !url) opened.document.body.textContent = placeholder;
  return opened;
}

/**
 * Opens the checkout in a modal dialog over the page. The browser traps the focus in it, and restores the focus afterwards.
 *
 * @param onClose - Called after the buyer has closed the dialog.
 */
function openDialog(
  root: ShadowRoot,
  url: string,
  locale: string,
  texts: typeof english,
  onClose: () => void,
): HTMLDialogElement {
  const dialog = Object.assign(document.createElement('dialog'), { ariaLabel: texts.checkout, lang: locale, onclose: onClose });
  const close = Object.assign(document.createElement('button'), {
    ariaLabel: texts.closeCheckout,
    textContent: '×',
    onclick: () => dialog.close(),
  });
  const frame = Object.assign(document.createElement('iframe'), { title: texts.checkout, src: url });
  keepClicksInDialog(dialog);
  dialog.part.add('checkout');
  dialog.append(close, frame);
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Adds the `display` parameter to the URL of a checkout, or of a shop that redirects to one (server/decisions/0020). */
function withDisplay(checkoutUrl: string, display: 'frame' | 'popup'): string {
  const url = new URL(checkoutUrl);
  url.search += `${url.search && '&'}display=${display}`;
  return url.href;
}

/** Message of the checkout page to its opener when the checkout ends. It can be forged: the shop's server verifies the transaction. */
export interface CheckoutMessage {
  type: 'completed' | 'not-completed';
  /** A UUID; only if completed. */
  transactionId?: string;
  /** The cart's `orderRef`; empty if it has none. */
  orderRef: string;
  /** URL to navigate to after a checkout without a purchase. Missing while the checkout shows the reason. */
  errorUrl?: unknown;
}

/** JSON of `fairterm`, the `source` of all messages, and of the `type`, `transactionId` and `orderRef` of a `CheckoutMessage`. */
const MESSAGE = /^\["fairterm",("completed","[\da-f-]{36}"|"not-completed",null),".{0,999}"\]$/;

/**
 * Returns true for a valid checkout message. The caller must have checked the origin and the source.
 *
 * The pattern matches the JSON, in which only strings have quotes. Unknown fields are ignored, because the service may be newer than
 * the script of a shop that hosts it.
 *
 * @param data - A structured clone, which has no getters.
 */
function isCheckoutMessage(data: unknown): data is CheckoutMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked
  const { source, type, transactionId, orderRef } = (data ?? {}) as Record<string, unknown>;
  return MESSAGE.test(toJson([source, type, transactionId, orderRef]));
}

/**
 * Styles of the dialog, in addition to those of the element. It fills a small screen, and has the buyer's color scheme like the
 * checkout. The scrollable backdrop prevents scrolling of the page behind it.
 */
const dialogStyles = new CSSStyleSheet();
dialogStyles.replaceSync(/* css */ `
  [part='checkout'] {
    display: grid;
    grid-template-rows: auto 1fr;
    justify-items: end;
    box-sizing: border-box;
    inline-size: 48rem;
    block-size: 60rem;
    max-inline-size: 100%;
    max-block-size: 100%;
    padding: 0;
    border: 1px solid #888;
    border-radius: 10px;
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
