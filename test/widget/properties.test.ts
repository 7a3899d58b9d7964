import { assert } from '@open-wc/testing';
import { FinancingButton } from '../../widget/index.ts';

const ofCarts = ['items', 'discounts', 'shippingOptions', 'tax', 'customTotal', 'shippingContact', 'billingContact', 'orderRef'];
const others = ['completeUrl', 'errorUrl', 'callbackUrl', 'disableEditShipping', 'calculateShipping', 'calculateTax'];

it('has every property that is no attribute, or React 19, Vue and Svelte would write it as one', () => {
  const element = document.createElement('financing-button');
  assert.instanceOf(element, FinancingButton);
  assert.deepEqual(
    [...ofCarts, ...others].filter((name) => !(name in element)),
    [],
  );
});
