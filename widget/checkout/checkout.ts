import { emit, type FinancingClose, FinancingError, type FinancingErrorCode } from '../events.ts';
import type { Core } from '../core.ts';
import type { FinancingOptions } from '../options.ts';
import { serviceUrl } from '../programs.ts';
import { englishCheckout } from '../texts/english-checkout.ts';
import { openCart, optionsOf } from './cart.ts';
import { openDialog, sheet } from './dialog.ts';
import { isOutcome } from './outcome.ts';
import { openWindow, shownIn } from './window.ts';

/** How often it is looked whether the buyer has closed the window: browsers do not say. */
const LOOK_MS = 500;

/** How long the page's own functions may take together, and then the service. */
const TIME_LIMIT_MS = 20_000;

/** A checkout that is open, or being opened. */
interface Opened {
  /** Base address of the service, with a slash at the end. */
  service: string;
  popup: Window | null | undefined;
  dialog?: HTMLDialogElement;
  timer?: ReturnType<typeof setInterval>;
  /** Whether the window leads to a checkout, and not to one that is to come. */
  isThere: boolean;
  /** What closing it means; undefined once something was bought. */
  reason: FinancingClose['reason'] | undefined;
}

/**
 * Opens the checkouts of one button, one at a time, and listens to each as long as it is open. Nothing of it throws.
 *
 * @returns Stops: nothing of an open checkout is left on the page.
 */
export function start({ element: host, internals, language, canOpen }: Core): () => void {
  const root = host.shadowRoot!;
  let current: Opened | undefined;
  let lastOptions: string | undefined;
  let idempotencyKey = '';
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);

  /** The word of the very window or frame that was opened, while it shows a page of the service. */
  const hear = ({ isTrusted, origin, source, data }: MessageEvent): void => {
    const { popup, dialog, service } = current!;
    const opened = popup ?? dialog?.querySelector('iframe')?.contentWindow;
    // Scripts of the page can make events as well. The service's address may have a path, which no origin has.
    const isOurs = isTrusted && source && source === opened && service.startsWith(`${origin}/`);
    if (!isOurs || !isOutcome(data)) return;
    const { transactionId, orderRef, errorUrl } = data;
    // Asked for the same, the service would answer with the cart that has ended.
    lastOptions = undefined;
    current!.reason = transactionId ? undefined : 'not-completed';
    if (!transactionId) return leave(errorUrl);
    // A dialog stays to be read.
    if (popup) stop();
    else removeEventListener('message', hear);
    internals.setFormValue(transactionId);
    emit(host, 'financing-complete', { transactionId, orderRef });
    if ((host.autoSubmit ?? false) !== false) internals.form?.requestSubmit();
  };

  /** The buyer leaves without a purchase: the page goes to the cart's `errorUrl`, unless it stops that. A newer service may say less or more. */
  const leave = (errorUrl: unknown): void => {
    if (typeof errorUrl !== 'string' || !/^https?:/i.test(errorUrl)) return;
    stop();
    if (emit(host, 'financing-close', { reason: 'not-completed', errorUrl }, true)) location.assign(errorUrl);
  };

  const stop = (): void => {
    if (!current) return;
    const { popup, dialog, isThere, timer } = current;
    current = undefined;
    showBusy(false);
    clearInterval(timer);
    removeEventListener('message', hear);
    // Closing it gives the focus back to the button.
    dialog?.close();
    dialog?.remove();
    // A window that shows a checkout goes on: its page needs nobody to finish.
    if (!isThere) popup?.close();
  };

  const closed = (opened: Opened): void => {
    const { reason } = opened;
    if (opened !== current) return;
    stop();
    if (reason) emit(host, 'financing-close', { reason });
  };

  const showBusy = (isBusy: boolean): void => {
    try {
      internals.states[isBusy ? 'add' : 'delete']('busy');
    } catch {
      // Browsers from before 2024 have no custom states, or insist on two dashes before their names.
    }
  };

  const press = async (click: MouseEvent): Promise<void> => {
    const { apiKey, mode } = host;
    const button = root.querySelector<HTMLAnchorElement>('[part=button]')!;
    // The page may have taken it over.
    if (click.defaultPrevented || !click.composedPath().includes(button)) return;
    // A button that leads nowhere opens a cart of what the page says.
    const link = button.href;
    // On a phone a window is but another tab, and what shows pages inside other programs has none at all.
    const isPopup = mode === 'popup' && !matchMedia('(pointer: coarse)').matches;
    const isInNewTab = click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
    if (link && (isInNewTab || !(isPopup || mode === 'modal'))) return;
    click.preventDefault();
    if (current) return current.popup?.focus();

    const { locale, texts: own } = language();
    const texts = { ...englishCheckout, ...own };
    // Before anything else: browsers let through no window that opens later. Where they let none through, the page itself leads on.
    const popup = isPopup ? openWindow(link && shownIn('popup', link), texts.opening) : undefined;
    const mine: Opened = (current = { popup, service: serviceOf(host), isThere: !!link, reason: 'closed' });
    addEventListener('message', hear);
    let looks = 0;
    // What a window said last may arrive after it is seen to be closed.
    if (popup) mine.timer = setInterval(() => popup.closed && looks++ && closed(mine), LOOK_MS);

    let url: string | undefined = link;
    let code: FinancingErrorCode = 'calculate';
    try {
      if (!url) {
        showBusy(true);
        const options = await inTime(optionsOf(host));
        code = 'checkout';
        const written = JSON.stringify(options);
        // The end of such an address is a random UUID, also on a page without a secure context, where `crypto` makes none.
        if (written !== lastOptions) idempotencyKey = URL.createObjectURL(new Blob()).slice(-36);
        lastOptions = written;
        url = await inTime(openCart(mine.service, apiKey, idempotencyKey, options));
      }
    } catch (error) {
      if (mine !== current) return;
      stop();
      emit(host, 'financing-error', new FinancingError(code, String(error)));
      return;
    }
    if (mine !== current) return;
    showBusy(false);
    mine.isThere = true;
    if (popup && !link) popup.location = shownIn('popup', url);
    else if (mode === 'modal') mine.dialog = openDialog(root, shownIn('frame', url), locale, texts, () => closed(mine));
    else if (!popup) {
      stop();
      location.assign(url);
    }
  };

  const pressed = (click: Event): void => void press(click as MouseEvent);
  root.addEventListener('click', pressed);
  canOpen();
  return () => {
    stop();
    root.removeEventListener('click', pressed);
  };
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, new Promise<never>((_, refuse) => setTimeout(refuse, TIME_LIMIT_MS, 'no answer in time'))]);

/** With a slash at its end. */
const serviceOf = ({ service }: FinancingOptions): string => `${serviceUrl(service) ?? ''}/`;
