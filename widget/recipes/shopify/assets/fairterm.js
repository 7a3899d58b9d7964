// A theme sets the input `id` of its product form to the selected variant, and dispatches a `change` event that bubbles.
// `data-cents` is the JSON of the prices by the id of their variant.
document.addEventListener('change', ({ target }) => {
  if (target.name !== 'id' || !target.form?.action.includes('/cart/add')) return;
  for (const button of document.querySelectorAll('financing-button[data-cents]')) {
    const cents = JSON.parse(button.dataset.cents)[target.value];
    if (!cents) continue;
    button.setAttribute('amount', cents);
    button.setAttribute('cart-url', `/apps/financing/checkout?variant=${encodeURIComponent(target.value)}`);
  }
});

// A placeholder for your analytics.
const track = (name, detail) => navigator.sendBeacon('/analytics', JSON.stringify({ name, ...detail }));
document.addEventListener('financing-quote', ({ detail }) => track('financing-quote', { monthlyCents: detail.monthly }));
document.addEventListener('financing-start', () => track('financing-start'));
document.addEventListener('financing-error', ({ detail }) => track('financing-error', { code: detail.code }));
