// WooCommerce triggers jQuery events for the selected variation, which addEventListener does not receive.
jQuery(($) => {
  const button = $('financing-button:not([cart-url])');
  const lowest = button.attr('amount');
  $('.variations_form')
    .on('found_variation', (_event, variation) => button.attr('amount', Math.round(variation.display_price * 100)))
    .on('reset_data', () => button.attr('amount', lowest));
});

// The cart block changes without a new page, in the store of its script.
window.wp?.data?.subscribe(() => {
  const cart = window.wp.data.select('wc/store/cart');
  const button = document.querySelector('.wp-block-woocommerce-cart ~ financing-button');
  if (!button || !cart?.hasFinishedResolution('getCartData')) return;
  const { total_price: total, currency_minor_unit: digits } = cart.getCartTotals();
  const amount = String(Math.round(Number(total) * 10 ** (2 - digits)));
  if (button.getAttribute('amount') !== amount) button.setAttribute('amount', amount);
  button.hidden = amount === '0';
});
