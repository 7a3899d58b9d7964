// @ts-check
// Adds a button to each listing that copies it, keeps the language of the samples, and lets the key `/` focus the search field. All pages are
// complete without this script.
for (const code of navigator.clipboard ? document.querySelectorAll('pre > code') : []) {
  const button = document.createElement('button');
  button.className = 'copy';
  const show = (/** @type {string} */ label) => (button.textContent = label);
  show('Copy');
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent ?? '').then(() => show('Copied'));
    setTimeout(show, 2_000, 'Copy');
  });
  code.after(button);
}
const inputs = document.querySelectorAll('input');
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('[type=search]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  inputs[0]?.focus();
});
if (inputs[0] && matchMedia('(hover)').matches) inputs[0].placeholder = 'Press / to search';
try {
  for (const input of inputs) {
    if (input.type !== 'radio') continue;
    if (input.value === localStorage.getItem('docs-language')) input.checked = true;
    input.addEventListener('change', () => localStorage.setItem('docs-language', input.value));
  }
} catch {
  // The browser allows no storage: each page begins with curl.
}
