import type { Page } from 'playwright-core';

/** What became of one button whose service answered with one document. */
export interface Outcome {
  state: string | undefined;
  events: string[];
  quote: unknown;
  isLink: boolean;
  /** Everything a buyer reads, the details included. */
  text: string;
  /** Elements and attributes that no template of ours has. */
  foreign: string[];
}

/** What becomes of buttons, one for each key from `first` on: shown, and their details opened. */
export function outcomesOn(
  page: Page,
  input: { first: number; count: number; service: string; amount: number },
): Promise<Outcome[]> {
  return page.evaluate(async ({ first, count, service, amount }) => {
    const main = document.querySelector('main')!;
    const settledStates = ['quoted', 'unavailable', 'failed'];
    const stateOf = (button: Element) => settledStates.find((state) => button.matches(`:state(${state})`));
    const known =
      /^(div|section|p|slot|strong|a|button|span|dialog|form|h2|h3|label|input|table|caption|tbody|tr|th|td|dl|dt|dd)( (class|lang|dir|part|id|name|href|aria-describedby|role|aria-labelledby|method|aria-label|type|min|step|value|scope|open))*$/;
    const made = Array.from({ length: count }, (_, at) => {
      const events: string[] = [];
      const button = document.createElement('financing-button');
      button.addEventListener('financing-error', ({ detail }) => events.push(detail.code));
      main.append(Object.assign(button, { apiKey: `${first + at}`, service, amount, cartUrl: '/cart' }));
      return { button, events };
    });
    const until = performance.now() + 20_000;
    while (made.some(({ button }) => !stateOf(button)) && performance.now() < until)
      await new Promise((next) => setTimeout(next, 10));
    const outcomes = [];
    for (const { button, events } of made) {
      button.showDetails();
      await button.updateComplete;
      const elements = [...button.shadowRoot!.querySelectorAll('*')];
      outcomes.push({
        state: stateOf(button),
        events,
        quote: button.quote,
        isLink: button.shadowRoot!.querySelector('a')?.pathname === '/cart',
        text: button.shadowRoot!.textContent ?? '',
        foreign: elements
          .map((element) => [element.localName, ...element.getAttributeNames()].join(' '))
          .filter((name) => !known.test(name)),
      });
      button.remove();
    }
    return outcomes;
  }, input);
}
