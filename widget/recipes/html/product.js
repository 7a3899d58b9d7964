// Each option of the select is a variant: its value is the sku, and `data-price-cents` its price.
const select = document.querySelector('select');
const price = document.querySelector('#price');
const button = document.querySelector('financing-button');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

// Attributes can be set before the element is defined, and after.
select.addEventListener('change', () => {
  const [{ value, dataset }] = select.selectedOptions;
  price.textContent = dollars.format(dataset.priceCents / 100);
  button.setAttribute('amount', dataset.priceCents);
  button.setAttribute('cart-url', `/checkout/financing?sku=${encodeURIComponent(value)}`);
});

// A placeholder for your analytics.
const track = (name, detail) => navigator.sendBeacon('/analytics', JSON.stringify({ name, sku: select.value, ...detail }));
document.addEventListener('financing-quote', ({ detail }) => track('financing-quote', { monthlyCents: detail.monthly }));
document.addEventListener('financing-start', () => track('financing-start'));
document.addEventListener('financing-error', ({ detail }) => track('financing-error', { code: detail.code }));
