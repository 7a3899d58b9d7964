/** Compares the minified files with the source code. */
import { beforeAll, describe, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { disclosureTexts } from '../../shared/languages/index.ts';
import { type ProgramDocument, rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { randomProgram } from '../shared/disclosure/random-programs.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { TODAY } from '../support/programs.ts';
import { samples } from '../support/random.ts';
import { openWidgetPage, type WidgetPage } from './page.ts';

const PROGRAMS = 60;
const AMOUNTS = 25;

describe.each(['financing-button.js', 'financing-button.iife.js'])('%s', (script) => {
  const programs = samples(PROGRAMS, 20_261_121, (random) => randomProgram(random)).map((program, index) => ({
    ...rateSheet(program),
    id: `p-${index}`,
  }));
  const document: ProgramDocument = { defaultProgramId: 'p-0', programs, texts: disclosureTexts };
  let widget: WidgetPage;

  beforeAll(async () => {
    const { page } = await openPage(await startBrowser());
    await page.clock.setFixedTime(`${TODAY}T12:00:00Z`);
    widget = await openWidgetPage(page, { script, document });
  });

  it('quotes random programs and amounts exactly like the source code', async () => {
    const inputs = programs.flatMap(({ id }, index) =>
      samples(AMOUNTS, index, (random) => ({ program: id, amount: random.magnitude(1, 4_000_000) })),
    );

    const quotes = await widget.page.evaluate(async (purchases) => {
      const element = globalThis.document.querySelector('financing-button')!;
      const results: (AsLowAs | undefined)[] = [];
      for (const purchase of purchases) {
        Object.assign(element, purchase);
        await element.updateComplete;
        results.push(element.quote);
      }
      return results;
    }, inputs);

    const expected = inputs.map(({ program, amount }) =>
      asLowAs(
        programs.find(({ id }) => id === program)!,
        amount,
        TODAY,
        disclosureTexts.en,
      ),
    );
    expect(quotes).toEqual(expected);
    // The samples contain amounts with and without an offer.
    expect(new Set(expected.map(({ monthly }) => monthly > 0))).toEqual(new Set([true, false]));
  });
});
