// @ts-check
// Adds a button to each listing that copies it, and lets the key `/` focus the search field. All pages are complete without this script.
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
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('[type=search]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  document.querySelector('input')?.focus();
});
