// WooCommerce triggers jQuery events for the selected variation, which addEventListener does not receive.
jQuery(($) => {
  const button = document.querySelector('.product financing-button');
  if (!button) return;
  const lowest = button.getAttribute('amount');

  $('.variations_form')
    .on('found_variation', (_event, variation) => button.setAttribute('amount', Math.round(variation.display_price * 100)))
    .on('reset_data', () => button.setAttribute('amount', lowest));
});
