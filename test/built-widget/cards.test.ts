/** Buttons inside the card of a product, which is a link or has listeners of its own. */
import { describe, expect, it } from 'vitest';
import { startWidgetShop, waitForStates } from './shop.ts';

const shop = await startWidgetShop();

describe.each([
  ['a link', (button: string) => `<a href="#link"><h2>Lamp</h2>${button}</a>`],
  ['an element with listeners', (button: string) => `<div id="card"><h2>Lamp</h2>${button}</div>`],
])('A button in %s', (_card, cardWith) => {
  const open = async (attributes: Record<string, string | undefined> = {}) => {
    const { page, problems } = await shop.openPage();
    await page.goto(shop.createPage({ body: cardWith(shop.button(attributes)) }));
    await page.evaluate(() => {
      const navigate = ({ type }: Event) => (location.hash = type);
      for (const type of ['click', 'keydown', 'keyup', 'input'])
        document.querySelector('#card')?.addEventListener(type, navigate);
    });
    await waitForStates(page, 'quoted');
    return { page, problems, url: page.url() };
  };

  it('opens and uses its details, and closes them, without following the card', async () => {
    const { page, problems, url } = await open();
    await page.getByRole('button', { name: 'Learn more' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('spinbutton').click();
    await page.keyboard.type('7');
    await dialog.getByRole('heading').first().click();
    await dialog.getByText('Amount', { exact: false }).first().click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(url);
    expect(problems()).toEqual([]);
  });

  it('follows its own link', async () => {
    const { page } = await open();
    const requested = page.waitForRequest(`${shop.url}/cart`);
    await page.locator('financing-button a').click();
    await requested;
  });

  it('leaves clicks elsewhere to the card', async () => {
    const { page } = await open();
    await page.getByRole('heading', { name: 'Lamp' }).click();
    await page.waitForURL(/#(link|click)$/);
  });
});
