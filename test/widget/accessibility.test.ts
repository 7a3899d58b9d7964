import { aTimeout, assert } from '@open-wc/testing';
import type { FinancingButton } from '../../widget/index.ts';
import { renderSettledButton } from './support.ts';

const announced = (element: FinancingButton): string => element.shadowRoot!.querySelector('[role=status]')!.textContent;

describe('a screen reader', () => {
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
