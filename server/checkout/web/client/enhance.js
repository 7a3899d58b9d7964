// @ts-check
// Progressive enhancement: every page works without it. It stores nothing and does not read the shop's page.

/** A submitted form is unlocked after this time, in case the connection was lost. */
const LOCKED_MS = 15_000;

/** A link in a frame is followed after this time if the shop's page has not reacted to its message. */
const FOLLOWED_MS = 1_000;

const all = (/** @type {string} */ selector, /** @type {ParentNode} */ within = document) =>
  /** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector));

// Prevents submitting a form twice, until the page is shown again.
/** @type {WeakSet<EventTarget>} */
let sent = new WeakSet();
function unlock() {
  sent = new WeakSet();
  for (const button of all('button:disabled')) button.removeAttribute('disabled');
}
addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // A form that opens a new tab can be submitted again.
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.formTarget) return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  renameEntry(form);
  // Deferred, because disabled buttons are not submitted.
  setTimeout(() => all('button', form).forEach((button) => button.setAttribute('disabled', '')));
  setTimeout(unlock, LOCKED_MS);
});
addEventListener('pageshow', unlock);

// After a form with personal data the checkout continues at another address. This entry of the history is renamed, so that the Back
// button leads to the form there; the cart's link does not show it any more.
function renameEntry(/** @type {HTMLFormElement} */ form) {
  const next = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('nextSecret'));
  if (!next) return;
  const path = new URL(form.action).pathname.split('/').at(-1)?.replace('restart', 'details');
  const link = location.pathname.split('/', 3).join('/');
  history.replaceState(null, '', `${link}/${next.value}/${path}${location.search}`);
}

// Updates the order summary: `data-total` in the label of the picked choice is shown in `data-shows="total"`.
function show(/** @type {HTMLElement} */ picked) {
  delete picked.dataset.filled;
  const values = /** @type {HTMLElement | null} */ (picked.closest('.choice')?.querySelector('[data-total]'))?.dataset;
  for (const shown of all('[data-shows]')) {
    const text = values?.[shown.dataset.shows ?? ''];
    if (text === undefined) continue;
    shown.textContent = text;
    shown.closest('[hidden]')?.removeAttribute('hidden');
  }
}
addEventListener('change', ({ target }) => show(/** @type {HTMLElement} */ (target)));
addEventListener('pageshow', () => all('.choice :checked').forEach(show));

// Formats a field while it is typed at its end. `data-format` is `date`, `dollars`, or the field of a ZIP code's state.
addEventListener('input', (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const { value, form, selectionEnd } = field;
  const { format } = field.dataset;
  if (!format) return;
  if (format.endsWith('tate')) return selectState(form?.elements.namedItem(format), value);
  if (selectionEnd !== value.length) return;
  if (format === 'date' && event.inputType?.startsWith('insert')) {
    field.value = value.replace(/^(0[1-9]|1[0-2])(?=\d)/, '$1/').replace(/^(\d+\/\d\d)(?=\d)/, '$1/');
  }
  if (format === 'dollars' && /^\d[\d,]*$/.test(value)) field.value = BigInt(value.replaceAll(',', '')).toLocaleString('en-US');
});

// Each state lists the first digits of its ZIP codes: `data-zips="750-770 885"`. A state that the buyer chose stays.
function selectState(/** @type {any} */ select, /** @type {string} */ zip) {
  if (select.value !== (select.dataset.filled ?? '')) return;
  select.value = '';
  for (const option of select.options) {
    for (const range of (option.dataset.zips ?? '-').split(' ')) {
      const [from, to = from] = range.split('-');
      if (zip[4] && from <= zip && zip <= to + '~') option.selected = true;
    }
  }
  select.dataset.filled = select.value;
}

all('.error-summary')[0]?.focus();

// A waiting page submits its form until the response is a page without `Retry-After`.
async function poll(/** @type {HTMLFormElement} */ form, waitMs = 2_000) {
  await new Promise((done) => setTimeout(done, waitMs));
  if (!document.hidden && !sent.has(form)) {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    // The service does not redirect these requests to the shop, which this page cannot read.
    const headers = { 'x-requested-with': 'fetch' };
    const answer = await fetch(form.action, { method: 'POST', body, headers }).catch(() => undefined);
    if (answer && answer.status < 500 && !answer.headers.has('retry-after')) return location.replace(answer.url);
  }
  return poll(form, Math.min(waitMs * 1.5, 15_000));
}
for (const form of all('form[data-polls]')) void poll(/** @type {HTMLFormElement} */ (form));

// Posts messages to the shop's page. Browsers deliver them to the registered origins only; `*` in the sandbox is every origin.
const [end] = all('[data-shown]');
const { origins = '', shown, message: first, leaving, leavesAfter } = end?.dataset ?? {};
/** @returns Whether a page was notified. */
function notifyOpener(/** @type {object} */ message) {
  const shop = shown === 'popup' ? opener : parent;
  if (!shop || shop === window || shop.closed) return false;
  const registered = origins.split(' ');
  const framer = registered.filter((origin) => origin === location.ancestorOrigins?.[0]);
  for (const origin of framer.length ? framer : registered) shop.postMessage(message, origin);
  return true;
}
function send(/** @type {string} */ json) {
  const message = JSON.parse(json);
  const isNotified = notifyOpener(message);
  // After a failure the shop's page goes to its errorUrl, or else this window does.
  if (message.errorUrl && !isNotified) location.replace(message.errorUrl);
  const isOver = message.errorUrl || (message.type === 'completed' && !all('[data-unsent]')[0]);
  if (shown === 'popup' && isNotified && isOver) close();
}
if (first) send(first);
// A page with the reason of a failure leads to the shop later, unless the buyer stays.
if (leaving) setTimeout(send, Number(leavesAfter) * 1_000, leaving);

addEventListener('click', ({ target }) => {
  if (/** @type {Element} */ (target).closest('[data-prints]')) print();
});

// In a popup, the link back to the shop closes it. In a frame, the shop's page reacts to the message, or else the link is followed.
addEventListener('click', (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest('a[data-closes], a[data-message]')
  );
  if (!link || (shown === 'popup' && (!opener || opener.closed))) return;
  event.preventDefault();
  if (link.dataset.message) notifyOpener(JSON.parse(link.dataset.message));
  if (shown === 'popup') close();
  else setTimeout(() => open(link.href, '_top'), FOLLOWED_MS);
});
