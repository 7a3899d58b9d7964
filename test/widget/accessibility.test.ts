import { aTimeout, assert, expect } from '@open-wc/testing';
import type { FinancingButton } from '../../widget/index.ts';
import { renderButton, renderSettledButton, linkOf, textOf } from './support.ts';

const states: [name: string, given: () => Promise<FinancingButton>][] = [
  ['quoted', () => renderSettledButton()],
  ['quoted without a cart', () => renderSettledButton({ 'cart-url': undefined })],
  ['loading', () => renderButton({ service: 'http://127.0.0.1:1' })],
  ['unavailable', () => renderSettledButton({ amount: '100' })],
  ['failed', () => renderSettledButton({ service: '/test/widget/fixtures/garbage' })],
  ['idle', () => renderButton({ amount: undefined })],
];

['light', 'dark'].forEach((scheme) => {
  describe(`on a ${scheme} page`, () => {
    before(() => {
      document.documentElement.style.colorScheme = scheme;
      document.body.style.cssText = 'background: Canvas; color: CanvasText';
    });
    after(() => {
      document.documentElement.style.colorScheme = '';
      document.body.style.cssText = '';
    });

    states.forEach(([name, given]) => {
      it(`has no axe violations while it is ${name}`, async () => {
        await expect(await given()).to.be.accessible();
      });
    });
  });
});

const announced = (element: FinancingButton): string => element.shadowRoot!.querySelector('[role=status]')!.textContent;

describe('a screen reader', () => {
  it('reads the estimate and its terms as the description of the button', async () => {
    const element = await renderSettledButton();

    const ids = linkOf(element)!.getAttribute('aria-describedby')!.split(' ');
    const description = ids.map((id) => element.shadowRoot!.getElementById(id)!.textContent).join(' ');
    assert.equal(description, `${textOf(element, 'estimate')} ${textOf(element, 'disclosure')}`);
  });

  it('does not announce the first estimate', async () => {
    const element = await renderSettledButton();
    await aTimeout(1_000);

    assert.equal(announced(element), '');
  });

  it('announces only the last of several amounts in rapid succession', async () => {
    const element = await renderSettledButton();
    const announcements: string[] = [];
    const observer = new MutationObserver(() => announcements.push(announced(element)));
    observer.observe(element.shadowRoot!.querySelector('[role=status]')!, {
      characterData: true,
      childList: true,
      subtree: true,
    });

    for (const amount of [60_000, 70_000, 74_000]) {
      element.amount = amount;
      await aTimeout(50);
    }
    await aTimeout(1_000);
    observer.disconnect();

    assert.deepEqual(announcements.filter(Boolean), ['As low as $34.14/month']);
  });
});
