/** Invalid program documents: malformed JSON, markup, other versions, and single changed values. */
import { beforeAll, describe, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { type ProgramDocument, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { randomProgram } from '../shared/disclosure/random-programs.ts';
import { isNightly } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { mutated, replaced } from '../support/openapi-values.ts';
import { samples } from '../support/random.ts';
import { type Outcome, renderButtons } from './render-buttons.ts';
import { startWidgetShop, type WidgetShop } from './shop.ts';
import { dateIn } from '../../shared/dates.ts';

const AMOUNT_CENTS = 50_000;
/** Buttons that are shown at the same time, each with one document. */
const BATCH_SIZE = 50;

/** The only states that any document may cause. */
const POSSIBLE_OUTCOMES = /^(quoted|unavailable) $|^failed (answer|program)$/;

/** Text that appears only if formatting fails. */
const BROKEN_TEXT = /undefined|null|NaN|Infinity|∞|\[object|native code|\{\w+\}/;

describe('Programs', () => {
  let shop: WidgetShop;
  let valid: ProgramDocument;
  let bodies: string[] = [];
  let serviceUrl: string;
  beforeAll(async () => {
    shop = await startWidgetShop();
    const url = `${shop.service.publicUrl}/storefront/programs?key=${shop.merchant.apiKey}`;
    valid = (await fetch(url).then((response) => response.json())) as ProgramDocument;
    const listening = await listen((request, response) => {
      const index = Number(new URL(request.url!, 'http://service').searchParams.get('key'));
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' });
      response.end(bodies[index]);
    });
    onCleanup(listening.stop);
    serviceUrl = listening.url;
  });

  /** Returns the state of the button for each document, with any unexpected effects on the page. */
  const show = async (documents: string[]): Promise<Outcome[]> => {
    bodies = documents;
    const { page, problems } = await shop.openPage();
    await page.addInitScript(() => {
      const uncaught: string[] = [];
      Object.assign(globalThis, { uncaught, hacked: 0 });
      addEventListener('error', ({ message }) => uncaught.push(message));
      addEventListener('unhandledrejection', ({ reason }) => uncaught.push(`${reason}`));
    });
    await page.goto(shop.createPage({ body: '<main></main>' }));
    const outcomes: Outcome[] = [];
    for (let first = 0; first < bodies.length; first += BATCH_SIZE) {
      const count = Math.min(BATCH_SIZE, bodies.length - first);
      outcomes.push(...(await renderButtons(page, { first, count, service: serviceUrl, amount: AMOUNT_CENTS })));
    }
    expect(await page.evaluate(() => [Reflect.get(globalThis, 'uncaught'), Reflect.get(globalThis, 'hacked')])).toEqual([[], 0]);
    expect(problems()).toEqual([]);
    return outcomes;
  };

  it('that are valid produce a quote and complete details', async () => {
    const [outcome] = await show([JSON.stringify(valid)]);
    expect(outcome).toMatchObject({ state: 'quoted', events: [], isLink: true, unexpectedElements: [], quote: quoteOf(valid) });
    expect(outcome!.text).toContain('APR');
  });

  it('that are malformed cause a service error, and the button still links to the cart', async () => {
    const malformed = [
      'null', '0', '""', 'true', '[]', '{}', '[[]]', '"programs"', '{"programs":null}', '{"programs":{}}', '{"programs":[null]}',
      '{"programs":[[]]}', '{"programs":[{}]}', '{"programs":"abc"}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `{"programs":${'{"programs":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, '\uFEFF{', '{"__proto__":{"programs":[]}}',
      `"${'x'.repeat(10_000_000)}"`, JSON.stringify({ ...valid, programs: undefined }), JSON.stringify({ ...valid, texts: undefined }),
    ]; // prettier-ignore
    for (const [index, { state, events, isLink, unexpectedElements }] of (await show(malformed)).entries()) {
      expect({ document: malformed[index]!.slice(0, 40), state, events, isLink, unexpectedElements }).toEqual({
        document: malformed[index]!.slice(0, 40),
        state: 'failed',
        events: ['answer'],
        isLink: true,
        unexpectedElements: [],
      });
    }
  });

  it('of 10 MB, with unknown fields or with inherited property names produce the same quote', async () => {
    const [program] = valid.programs;
    const larger = [
      { ...valid, padding: 'x'.repeat(10_000_000) },
      {
        ...valid,
        newer: { deep: [{}] },
        programs: [{ ...program, newer: null, offers: program!.offers.map((offer) => ({ ...offer, newer: 1 })) }],
      },
      { ...valid, programs: [...valid.programs, ...Array.from({ length: 2_000 }, (_, at) => ({ ...program, id: `${at}` }))] },
    ].map((document) => JSON.stringify(document));
    const withInheritedNames = JSON.stringify(valid).replaceAll(
      /(^|"(?:amount|currency|caps|closing|en)":)\{/g,
      '$1{"__proto__":{"termLength":1,"digits":0},"constructor":{"prototype":{}},"toString":1,',
    );
    for (const outcome of await show([...larger, withInheritedNames])) {
      expect(outcome).toMatchObject({ state: 'quoted', events: [], isLink: true, unexpectedElements: [], quote: quoteOf(valid) });
    }
  });

  const wrongValues: [description: string, path: string, value: unknown][] = [
    ['an unknown currency', 'programs.0.currency.code', 'DOLLARS'],
    ['markup as the currency', 'programs.0.currency.code', '<b>'],
    ['no currency', 'programs.0.currency', null],
    ['more decimal digits than any currency has', 'programs.0.currency.digits', 1_000],
    ['a negative number of decimal digits', 'programs.0.currency.digits', -2],
    ['a very long term', 'programs.0.offers.0.termLength', 1e9],
    ['a term beyond the safe integers', 'programs.0.offers.0.termLength', 1e300],
    ['a very long first period', 'programs.0.offers.0.firstPeriod', { months: 1e10, days: 0 }],
    ['a fractional term', 'programs.0.offers.0.termLength', 1.5],
    ['texts without sentences', 'texts.en', {}],
    ['an array of texts', 'texts.en', []],
    ['an array as a text', 'texts.en.example', ['{purchase}']],
    ['an array as the closing text', 'programs.0.closing', { en: ['<b>Bold</b>'], es: 1 }],
    ['an object as the fees', 'programs.0.fees', {}],
    ['an object as the offers', 'programs.0.offers', {}],
    ['offers without terms', 'programs.0.offers', [{}]],
    ['no caps', 'programs.0.caps', null],
  ];
  it('with one invalid value cause a service error', async () => {
    const documents = wrongValues.map(([, path, value]) => JSON.stringify(replaced(valid, path.split('.'), value)));
    const found = (await show(documents)).map(({ state, events, isLink, unexpectedElements }, index) => [
      wrongValues[index]![0],
      state,
      events,
      isLink,
      unexpectedElements,
    ]);
    expect(found).toEqual(wrongValues.map(([description]) => [description, 'failed', ['answer'], true, []]));
  });

  const attacks: unknown[] = [
    '<img src=x onerror="hacked++">',
    '"><script>hacked++</script>',
    '{constructor} {__proto__} {toString}',
    '{purchase} {min} {months} $& $1 $`',
    { _$litType$: 1, strings: ['<img src=x onerror="hacked++">'], values: [] },
    {
      _$litType$: 1,
      strings: { raw: ['<img src=x onerror="hacked++">'], 0: '<img src=x onerror="hacked++">', length: 1 },
      values: [],
    },
    { _$litType$: { h: ['<img src=x onerror="hacked++">'] }, strings: [], values: [] },
    { _$litType$: { h: { raw: ['<img src=x onerror="hacked++">'], 0: '<img src=x onerror="hacked++">' } }, values: [] },
    { nodeType: 1, tagName: 'SCRIPT', textContent: 'hacked++' },
    ['<img src=x onerror="hacked++">'],
  ];
  it('with markup in any field insert no markup into the page', async () => {
    const documents = pathsOf(valid).flatMap((path, index) => {
      const attacksOnField = isNightly ? attacks : [attacks[index % attacks.length]!];
      return attacksOnField.map((attack) => JSON.stringify(replaced(valid, path, attack)));
    });
    const wrong = (await show(documents)).flatMap(({ state, events, isLink, unexpectedElements }, index) => {
      const outcome = `${state} ${events.join()}`;
      return isLink && !unexpectedElements.length && POSSIBLE_OUTCOMES.test(outcome)
        ? []
        : [`${outcome} ${unexpectedElements.join()} for ${documents[index]}`];
    });
    expect(wrong).toEqual([]);
  });

  it('with random changes produce the same quote as the service, or no quote', async () => {
    const changed = samples(isNightly ? 600 : 120, 11, (random) => {
      const original =
        random.fraction() < 0.5
          ? valid
          : { ...valid, programs: [{ ...rateSheet(randomProgram(random)), id: valid.defaultProgramId }] };
      return JSON.stringify(mutated(original, random) ?? null);
    });
    const outcomes = await show(changed);
    const wrong = outcomes.flatMap((outcome, index) => {
      const error = errorOf(outcome, JSON.parse(changed[index]!) as ProgramDocument);
      return error ? [`${changed[index]}: ${error}`] : [];
    });
    expect(wrong).toEqual([]);
    const failed = outcomes.filter(({ state }) => state === 'failed').length;
    expect([failed > 8, outcomes.length - failed > 8]).toEqual([true, true]);
  });
});

/** Returns why an outcome is not allowed, or undefined if it is. */
function errorOf(
  { state, events, quote, isLink, text, unexpectedElements }: Outcome,
  document: ProgramDocument,
): string | undefined {
  if (!isLink || unexpectedElements.length) return `no link, or ${unexpectedElements.join()}`;
  if (state === 'failed') return /^(answer|program)$/.test(events.join()) ? undefined : `failed with ${events.join()}`;
  // Invalid data that only the details show.
  if (events.some((code) => code !== 'part')) return `${state} with ${events.join()}`;
  if (BROKEN_TEXT.test(text)) return `shows ${BROKEN_TEXT.exec(text)![0]}: ${text.slice(0, 2000)}`;
  const expected = JSON.stringify(quoteOf(document));
  return JSON.stringify(quote) === expected ? undefined : `quotes ${JSON.stringify(quote)}, not ${expected}`;
}

function quoteOf({ programs, defaultProgramId, texts }: ProgramDocument): unknown {
  const sheet = programs.find(({ id }) => id === defaultProgramId);
  try {
    return asLowAs(sheet!, AMOUNT_CENTS, dateIn(Date.now(), 'UTC'), texts.en);
  } catch (error) {
    return String(error);
  }
}

/** Returns the paths of all primitive values, following only the first two entries of each list. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) =>
    Array.isArray(value) && key !== '0' && key !== '1' ? [] : pathsOf(child, [...path, key]),
  );
}
