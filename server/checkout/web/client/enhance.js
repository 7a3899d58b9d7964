// @ts-check
// Comfort for pages that do all they must without it. It stores nothing, and reads nothing of the shop's page.

/** A form that was sent stays locked for so long: its connection may be lost. */
const LOCKED_MS = 15_000;

const all = (/** @type {string} */ selector, /** @type {ParentNode} */ within = document) =>
  /** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector));

// No form is sent twice, until the page is shown again.
/** @type {WeakSet<EventTarget>} */
let sent = new WeakSet();
function unlock() {
  sent = new WeakSet();
  for (const button of all('button:disabled')) button.removeAttribute('disabled');
}
addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // One that opens a window leaves this page to be used.
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.formTarget) return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  renameEntry(form);
  // Later, since what is disabled is not sent.
  setTimeout(() => all('button', form).forEach((button) => button.setAttribute('disabled', '')));
  setTimeout(unlock, LOCKED_MS);
});
addEventListener('pageshow', unlock);

// After a form of personal data, the checkout continues under another address. The Back button leads to this form there, since the
// cart's link shows it no more.
function renameEntry(/** @type {HTMLFormElement} */ form) {
  const next = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('nextSecret'));
  if (!next) return;
  const place = new URL(form.action).pathname.split('/').at(-1)?.replace('restart', 'details');
  const link = location.pathname.split('/', 3).join('/');
  history.replaceState(null, '', `${link}/${next.value}/${place}${location.search}`);
}

// What a picked choice says of the order: its `data-total` goes where the page has `data-shows="total"`.
function show(/** @type {HTMLElement} */ picked) {
  for (const place of all('[data-shows]')) {
    const text = picked.dataset[place.dataset.shows ?? ''];
    if (text === undefined) continue;
    place.textContent = text;
    place.closest('[hidden]')?.removeAttribute('hidden');
  }
}
addEventListener('change', ({ target }) => show(/** @type {HTMLElement} */ (target)));
addEventListener('pageshow', () => all('input[data-total]:checked').forEach(show));

// The slashes of a date, as its digits are typed at its end: keypads of phones have none.
addEventListener('input', (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (!('date' in field.dataset) || field.selectionEnd !== field.value.length) return;
  if (!event.inputType?.startsWith('insert')) return;
  field.value = field.value.replace(/^(0[1-9]|1[0-2])(?=\d)/, '$1/').replace(/^(\d+\/\d\d)(?=\d)/, '$1/');
});

all('.error-summary')[0]?.focus();

// A page that waits asks by its form, until the answer is another page than one that says when to come again.
async function ask(/** @type {HTMLFormElement} */ form, waitMs = 2_000) {
  await new Promise((done) => setTimeout(done, waitMs));
  if (!document.hidden && !sent.has(form)) {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    // Named, so that it is not redirected to the shop, which this page may not read.
    const headers = { 'x-requested-with': 'fetch' };
    const answer = await fetch(form.action, { method: 'POST', body, headers }).catch(() => undefined);
    if (answer && answer.status < 500 && !answer.headers.has('retry-after')) return location.replace(answer.url);
  }
  return ask(form, Math.min(waitMs * 1.5, 15_000));
}
for (const form of all('form[data-polls]')) void ask(/** @type {HTMLFormElement} */ (form));

// Messages for the shop's page, which browsers deliver to the registered origins alone; in the sandbox, `*` stands for every origin.
const [end] = all('[data-shown]');
const { origins = '', shown, message: json } = end?.dataset ?? {};
/** @returns Whether there is a page to notify. */
function notifyShop(/** @type {object} */ message) {
  const shop = shown === 'popup' ? opener : parent;
  if (!shop || shop === window || shop.closed) return false;
  const registered = origins.split(' ');
  const framer = registered.filter((origin) => origin === location.ancestorOrigins?.[0]);
  for (const origin of framer.length ? framer : registered) shop.postMessage(message, origin);
  return true;
}
if (json) {
  const message = JSON.parse(json);
  const isNotified = notifyShop(message);
  // After a failure the shop's page goes to its errorUrl; without one, this window does.
  if (message.errorUrl && !isNotified) location.replace(message.errorUrl);
  const isOver = message.errorUrl || (message.type === 'completed' && !all('[data-unsent]')[0]);
  if (shown === 'popup' && isNotified && isOver) close();
}

// In a window of its own, the way back to the shop's page is to close it.
addEventListener('click', (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('a[data-closes]'));
  if (!link || !opener || opener.closed) return;
  event.preventDefault();
  if (link.dataset.message) notifyShop(JSON.parse(link.dataset.message));
  close();
});
