// @ts-check
// Progressive enhancement: every page works without it, except passkeys, which browsers create and use only by script.

// Submits a form once, until the page is shown again.
/** @type {WeakSet<EventTarget>} */
let sent = new WeakSet();
addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== 'post') return;
  if (sent.has(form)) return event.preventDefault();
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  // The page stays when its form downloads a file.
  if (button?.dataset['downloads'] !== undefined) return;
  if (!button?.dataset['passkey']) return void sent.add(form);
  event.preventDefault();
  void submitPasskey(form, button.dataset);
});
addEventListener('pageshow', () => (sent = new WeakSet()));

/**
 * Creates or uses a passkey, and submits it with its form. Before, it loads the page again: for a new challenge, which is valid for minutes,
 * and for a session that allows it. Otherwise, the device would have a new passkey that the service did not accept.
 */
async function submitPasskey(
  /** @type {HTMLFormElement} */ form,
  /** @type {DOMStringMap} */ { passkey = '', creates, failed = '' },
) {
  try {
    const response = await fetch(location.href);
    if (response.redirected) return location.assign(response.url);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    /** @type {HTMLElement | null} */
    const button = page.querySelector('[data-passkey]');
    // The address of a rejected form may be that of no page. Then the options of this page are used.
    const options = JSON.parse(button?.dataset['passkey'] ?? passkey);
    const credential =
      creates === undefined
        ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
        : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
    /** @type {HTMLInputElement} */ (form.elements.namedItem('credential')).value = JSON.stringify(credential);
    sent.add(form);
    form.submit();
  } catch {
    showError(form, failed);
  }
}

/** Shows a message at the beginning of a form, and announces it. */
function showError(/** @type {HTMLFormElement} */ form, /** @type {string} */ message) {
  const shown = form.querySelector('.error-summary') ?? document.createElement('p');
  shown.className = 'error-summary';
  shown.role = 'alert';
  shown.textContent = message;
  form.prepend(shown);
}

// Prints the page; or copies a text, and shows on the button that it was copied.
addEventListener('click', ({ target }) => void act(/** @type {HTMLElement} */ (target)));

async function act(/** @type {HTMLElement} */ button) {
  if (button.dataset['prints'] !== undefined) return print();
  const { copies, copied = '' } = button.dataset;
  if (copies === undefined) return;
  await navigator.clipboard.writeText(copies);
  button.textContent = copied;
}

// Keeps a color picker and the text field beside it the same.
addEventListener('input', ({ target }) => {
  const { form, name, value, dataset } = /** @type {HTMLInputElement} */ (target);
  const other = form?.querySelector(dataset['picks'] ? `[name="${dataset['picks']}"]` : `[data-picks="${name}"]`);
  if (other && /^#[\da-f]{6}$/i.test(value)) /** @type {HTMLInputElement} */ (other).value = value;
});

// Updates the parts of a page with `data-live` while the fields of its form change: with those of the page that the form leads to.
addEventListener('input', ({ target }) => {
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (form?.dataset['preview'] !== undefined) void preview(form);
});

let latest = new AbortController();

async function preview(/** @type {HTMLFormElement} */ form) {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  try {
    const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const response = await fetch(`?${query}`, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const shown of document.querySelectorAll('[data-live]')) {
      const next = page.querySelector(`[data-live="${shown.getAttribute('data-live')}"]`);
      if (next && !signal.aborted) replace(shown, next);
    }
  } catch {
    // A later change has replaced this one, or the network is down: the button of the form shows the page.
  }
}

/** Gives an element the attributes of another one, and its text if it contains only text. */
function replace(/** @type {Element} */ shown, /** @type {Element} */ next) {
  for (const name of new Set([...shown.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    if (value === null) shown.removeAttribute(name);
    else if (value !== shown.getAttribute(name)) shown.setAttribute(name, value);
  }
  if (shown.childElementCount === 0) shown.textContent = next.textContent;
}
