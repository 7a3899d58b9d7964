// Registers the payment method in the checkout block. WooCommerce's server decides whether a cart can use it.
(({ wc, wp }) => {
  const { getSetting } = wc.wcSettings;
  // Earlier releases of WooCommerce have the second name.
  const { title, description, supports } = getSetting('paymentMethodData', {}).fairterm ?? getSetting('fairterm_data', {});
  if (!title) return;
  // A component, because WooCommerce passes on properties that an element of HTML would show as attributes.
  const content = wp.element.createElement(() => wp.htmlEntities.decodeEntities(description));
  const label = wp.htmlEntities.decodeEntities(title);
  wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'fairterm',
    label,
    ariaLabel: label,
    content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: supports },
  });
})(window);
