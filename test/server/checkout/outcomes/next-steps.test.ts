import { describe, expect, it } from 'vitest';
import { checkoutPages, fetchPlace, startCheckoutShop } from '../../../support/checkout-pages.ts';

const shop = await startCheckoutShop();

/** Instructions and expectations on the pages after the forms. */
describe('The page', () => {
  const textOf = async (wanted: string) => {
    const { reach } = checkoutPages.find(({ name }) => name === wanted)!;
    const { text } = await fetchPlace(await reach(shop));
    return text.replace(/<!--.*?-->/g, '').replace(/\s+/g, ' ');
  };

  it.each(
    'plans|agreement|waiting for a decision|waiting after signing|needs action|canceled|declined|ineligible|completed'.split('|'),
  )('%s ends with the short reference of the application', async (name) => {
    expect(await textOf(name)).toMatch(/<footer>.*Reference number: [0-9A-Z]{4}-[0-9A-Z]{4}<.*<\/footer>/);
  });

  it('of the link of a checkout, which everyone can open, has no reference', async () => {
    expect(await textOf('the link of a checkout in progress')).not.toContain('Reference number');
  });

  it('that requires an action names it in the heading, then its steps with links, and one deadline', async () => {
    const text = await textOf('needs action');
    expect(text).toMatch(
      /<h1>Unfreeze your credit file<\/h1> <p class="lead">Your credit file is frozen.*<ol> <li>Ask Example Credit Reports \(<a href="tel:18005550101">.*<a href="https:\/\/credit-reports\.example/,
    );
    expect(text.match(/by \w+ \d+, \d{4}/gi)).toHaveLength(1);
  });

  it('of a denial can be printed', async () => {
    expect(await textOf('declined')).toMatch(
      /<p class="scripted"><button type="button" class="quiet" data-prints[^>]*>Print this notice/,
    );
  });

  it('of a completed checkout has the order, the plan, the first payment, how to pay, the agreement and contacts', async () => {
    const support = { supportEmail: 'help@acme.example', supportPhone: '1-800-555-0199' };
    await shop.database.write((tx) => tx.updateTable('merchants').set(support).where('id', '=', shop.app.merchantId).execute());
    const text = await textOf('completed');
    const headings = [...text.matchAll(/<h2 id[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).toEqual(['Your order', 'Your plan', 'How to pay', 'Your agreement', 'Questions']);
    expect(text).toMatch(/Arbor belt-drive turntable.*<dt data-shows="label">Total<\/dt>/);
    expect(text).toMatch(/Your first payment of \$\d+\.\d\d to Fairterm Lending is due on \w+ \d+, \d{4}\./);
    for (const label of ['Amount financed', 'Annual percentage rate', 'Payments', 'First payment due']) {
      expect(text).toMatch(new RegExp(`<dt>${label}</dt> <dd>[^<]*\\d`, 'i'));
    }
    expect(text).toContain(
      'For questions about your loan, contact Fairterm Lending, 1 Example Plaza, Wilmington, DE 19801, <a href="tel:18005550100">',
    );
    expect(text).toContain('To cancel or return your order, contact Acme Goods.');
    expect(text).toMatch(/<a href="mailto:help@acme.example">.*<a href="tel:18005550199">/);
  });
});
