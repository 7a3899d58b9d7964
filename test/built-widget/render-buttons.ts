import type { Page } from 'playwright-core';

/** The result of rendering one button with one program document. */
export interface Outcome {
  state: string | undefined;
  events: string[];
  quote: unknown;
  isLink: boolean;
  /** Text of the button and its details. */
  text: string;
  /** Elements with attributes that no template of the widget has. */
  unexpectedElements: string[];
}

/** Shows `count` buttons with the API keys from `first` on, opens their details and returns the results. */
export function renderButtons(
  page: Page,
  input: { first: number; count: number; service: string; amount: number },
): Promise<Outcome[]> {
  return page.evaluate(async ({ first, count, service, amount }) => {
    const main = document.querySelector('main')!;
    const settledStates = ['quoted', 'unavailable', 'failed'];
    const stateOf = (button: Element) => settledStates.find((state) => button.matches(`:state(${state})`));
    const expected =
      /^(div|section|p|slot|strong|a|button|span|dialog|form|h2|h3|label|input|b|svg|path|ul|ol|li|dl|dt|dd)( (class|lang|dir|part|id|name|href|aria-describedby|role|aria-labelledby|method|aria-label|type|min|step|value|aria-hidden|viewBox|preserveAspectRatio|d|open))*$/;
    const buttons = Array.from({ length: count }, (_, index) => {
      const events: string[] = [];
      const button = document.createElement('financing-button');
      button.addEventListener('financing-error', ({ detail }) => events.push(detail.code));
      main.append(Object.assign(button, { apiKey: `${first + index}`, service, amount, cartUrl: '/cart' }));
      return { button, events };
    });
    const deadline = performance.now() + 20_000;
    while (buttons.some(({ button }) => !stateOf(button)) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const outcomes = [];
    for (const { button, events } of buttons) {
      button.showDetails();
      while (!button.shadowRoot!.querySelector('dialog') && !events.includes('part') && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 1));
      const elements = [...button.shadowRoot!.querySelectorAll('*')];
      outcomes.push({
        state: stateOf(button),
        events,
        quote: button.quote,
        isLink: button.shadowRoot!.querySelector('a')?.pathname === '/cart',
        text: button.shadowRoot!.textContent ?? '',
        unexpectedElements: elements
          .map((element) => [element.localName, ...element.getAttributeNames()].join(' '))
          .filter((name) => !expected.test(name)),
      });
      button.remove();
    }
    return outcomes;
  }, input);
}
