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
  if (!button?.dataset['passkey']) return void sent.add(form);
  event.preventDefault();
  void submitPasskey(form, button.dataset);
});
addEventListener('pageshow', () => (sent = new WeakSet()));

/** Creates or uses a passkey, and submits it with its form. */
async function submitPasskey(
  /** @type {HTMLFormElement} */ form,
  /** @type {DOMStringMap} */ { passkey = '', creates, failed = '' },
) {
  const options = JSON.parse(passkey);
  try {
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
