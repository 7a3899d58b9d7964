/** Adds a copy button to each code sample. Pages work without this script. */
const status = document.createElement('p');
status.className = 'visually-hidden';
status.setAttribute('role', 'status');
document.body.append(status);

// Browsers provide the clipboard only in secure contexts.
for (const listing of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = listing.dataset.copy;
  const copy = async () => {
    await navigator.clipboard.writeText(listing.querySelector('code').textContent);
    button.textContent = 'Copied';
    status.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = listing.dataset.copy;
      status.textContent = '';
    }, 2_000);
  };
  button.addEventListener('click', () => void copy());
  listing.prepend(button);
}
