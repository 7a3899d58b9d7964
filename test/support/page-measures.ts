/** The scrolling and typing of a buyer, measured in a browser. */
import type { Page } from 'playwright-core';
import { fillAndSend, shownBy } from './browser.ts';

export const PHONE = { width: 390, height: 844 };

/** A cart whose buyer and shipping address the shop knows. */
export const contactsOfCart = (() => {
  const home = { address: '12 Analytical Way', city: 'Springfield', state: 'IL', zip: '62701' };
  const billingContact = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '5550100100', ...home };
  return { billingContact, shippingContact: billingContact };
})();

export interface Measures {
  page: string;
  /** From the top of the page to the end of its main part, in phone screens. The footer and the order below it need no scrolling. */
  screens: number;
  /** Required fields that are visible and empty. A group of radio buttons is one. */
  inputs: number;
  /** Buttons that continue. */
  taps: number;
  /** The HTML without its files, uncompressed. */
  bytes: number;
}

/** Measures the page in a tab with the viewport of a phone. */
export async function measurePage(tab: Page, page?: string): Promise<Measures> {
  const measured = await tab.evaluate((screenHeight) => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('main form :is(input, select)[required]')].filter((field) =>
      field.checkVisibility(),
    );
    const isChoice = ({ type }: HTMLInputElement) => type === 'radio' || type === 'checkbox';
    const filled = fields.filter((field) => (isChoice(field) ? field.checked : field.value !== '')).map(({ name }) => name);
    const empty = new Set(fields.map(({ name }) => name).filter((name) => !filled.includes(name)));
    return {
      screens: (document.querySelector('main')!.getBoundingClientRect().bottom + scrollY) / screenHeight,
      inputs: empty.size,
      taps: fields.length > 0 || document.querySelector('main form button[type=submit]') ? 1 : 0,
    };
  }, PHONE.height);
  const bytes = await tab.evaluate(() => new TextEncoder().encode(document.documentElement.outerHTML).byteLength);
  return { page: page ?? (await shownBy(tab)), ...measured, screens: Math.round(measured.screens * 100) / 100, bytes };
}

/** Measures every page of a checkout from its link to the signature. */
export async function measureCheckout(tab: Page, url: string): Promise<Measures[]> {
  const measures: Measures[] = [];
  await tab.goto(url);
  for (const step of ['details', 'apply', 'plans', 'agreement']) {
    const measured = await measurePage(tab);
    if (measured.page !== step) throw new Error(`Expected the step ${step}, but received ${measured.page}`);
    measures.push(measured);
    if (step !== 'agreement') await fillAndSend(tab);
  }
  return measures;
}

export function sumOf(measures: readonly Measures[], figure: 'screens' | 'inputs' | 'taps'): number {
  return measures.reduce((sum, measured) => sum + measured[figure], 0);
}

/** One line for each page. */
export function printedMeasures(measures: readonly Measures[]): string {
  const lines = measures.map(
    ({ page, screens, inputs, bytes }) =>
      `${screens.toFixed(1).padStart(5)} phone screens ${String(inputs).padStart(3)} inputs ${String(bytes).padStart(7)} bytes  ${page}`,
  );
  return lines.join('\n');
}
