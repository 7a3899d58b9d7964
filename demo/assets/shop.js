/*
 * Moves the disclosures of the monthly prices from the cards to one list below the products, to which each price links: 12 CFR
 * 1026.24(e) allows one table for all prices of an electronic advertisement. Until a price is listed there, its card shows them.
 * A financing button dispatches the event whenever its estimate changes.
 */
addEventListener('financing-quote', ({ target, detail }) => {
  const card = target.closest('.tile');
  if (!card) return;
  const terms = document.getElementById(`terms-${card.id}`);
  terms.lastElementChild.textContent = detail.asLowAsText;
  terms.hidden = false;
  document.getElementById('terms').hidden = false;
  card.classList.add('listed');
});

/* Opens the thank-you page after a purchase in a popup or a dialog. In the same tab, the checkout redirects to it. */
addEventListener('financing-complete', ({ detail: { transactionId, orderRef } }) => {
  location.assign(`/thank-you?${new URLSearchParams({ transactionId, orderRef })}`);
});
