/** Program documents that no service should return: garbage, attacks, other versions, or a single changed value. */
import { beforeAll, describe, expect, it } from 'vitest';
import { asLowAs } from '../../shared/as-low-as.ts';
import { type ProgramDocument, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { randomProgram } from '../shared/disclosure/random-programs.ts';
import { isNightly } from '../support/campaign.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { samples } from '../support/random.ts';
import { type Json, mutated, replacedAt } from './mutations.ts';
import { type Outcome, outcomesOn } from './outcomes.ts';
import { givenWidgetShop, type WidgetShop } from './shop.ts';

const AMOUNT_CENTS = 50_000;
/** Documents per page: enough to share the cost of a page load, and few enough to identify the one that fails. */
const AT_ONCE = 50;

/** The only states that any document may cause. */
const POSSIBLE_OUTCOMES = /^(quoted|unavailable) $|^failed (answer|program)$/;

/** Text that never appears in a correct sentence, and does appear when formatting fails. */
const WRONG = /undefined|null|NaN|Infinity|∞|\[object|native code|\{\w+\}/;

describe('Programs', () => {
  let shop: WidgetShop;
  let real: ProgramDocument;
  let bodies: string[] = [];
  let serviceUrl: string;
  beforeAll(async () => {
    shop = await givenWidgetShop();
    const url = `${shop.service.publicUrl}/storefront/programs?key=${shop.merchant.apiKey}`;
    real = (await fetch(url).then((response) => response.json())) as ProgramDocument;
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
    await page.goto(shop.givenPage({ body: '<main></main>' }));
    const outcomes: Outcome[] = [];
    for (let first = 0; first < bodies.length; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, bodies.length - first);
      outcomes.push(...(await outcomesOn(page, { first, count, service: serviceUrl, amount: AMOUNT_CENTS })));
    }
    expect(await page.evaluate(() => [Reflect.get(globalThis, 'uncaught'), Reflect.get(globalThis, 'hacked')])).toEqual([[], 0]);
    expect(problems()).toEqual([]);
    return outcomes;
  };

  it('that are valid produce a quote and complete details', async () => {
    const [outcome] = await show([JSON.stringify(real)]);
    expect(outcome).toMatchObject({ state: 'quoted', events: [], isLink: true, foreign: [], quote: quoteOf(real) });
    expect(outcome!.text).toContain('APR');
  });

  it('that are malformed cause a service error, and the button still links to the cart', async () => {
    const garbage = [
      'null', '0', '""', 'true', '[]', '{}', '[[]]', '"programs"', '{"programs":null}', '{"programs":{}}', '{"programs":[null]}',
      '{"programs":[[]]}', '{"programs":[{}]}', '{"programs":"abc"}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `{"programs":${'{"programs":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, '\uFEFF{', '{"__proto__":{"programs":[]}}',
      `"${'x'.repeat(10_000_000)}"`, JSON.stringify({ ...real, programs: undefined }), JSON.stringify({ ...real, texts: undefined }),
    ]; // prettier-ignore
    for (const [index, { state, events, isLink, foreign }] of (await show(garbage)).entries()) {
      expect({ of: garbage[index]!.slice(0, 40), state, events, isLink, foreign }).toEqual({
        of: garbage[index]!.slice(0, 40),
        state: 'failed',
        events: ['answer'],
        isLink: true,
        foreign: [],
      });
    }
  });

  it('of 10 MB or with unknown fields produce the same quote', async () => {
    const [program] = real.programs;
    const more = [
      { ...real, padding: 'x'.repeat(10_000_000) },
      {
        ...real,
        newer: { deep: [{}] },
        programs: [{ ...program, newer: null, offers: program!.offers.map((offer) => ({ ...offer, newer: 1 })) }],
      },
      { ...real, programs: [...real.programs, ...Array.from({ length: 2_000 }, (_, at) => ({ ...program, id: `${at}` }))] },
    ].map((document) => JSON.stringify(document));
    const keys = JSON.stringify(real).replaceAll(
      /(^|"(?:amount|currency|caps|closing|en)":)\{/g,
      '$1{"__proto__":{"termLength":1,"digits":0},"constructor":{"prototype":{}},"toString":1,',
    );
    for (const outcome of await show([...more, keys])) {
      expect(outcome).toMatchObject({ state: 'quoted', events: [], isLink: true, foreign: [], quote: quoteOf(real) });
    }
  });

  const wrongValues: [what: string, path: string, value: Json][] = [
    ['an unknown currency', 'programs.0.currency.code', 'DOLLARS'],
    ['markup as the currency', 'programs.0.currency.code', '<b>'],
    ['no currency', 'programs.0.currency', null],
    ['more digits than any currency has', 'programs.0.currency.digits', 1_000],
    ['a negative number of digits', 'programs.0.currency.digits', -2],
    ['a very long term', 'programs.0.offers.0.termLength', 1e9],
    ['a term beyond exact numbers', 'programs.0.offers.0.termLength', 1e300],
    ['a very long first period', 'programs.0.offers.0.firstPeriod', { months: 1e10, days: 0 }],
    ['a fractional term', 'programs.0.offers.0.termLength', 1.5],
    ['texts without sentences', 'texts.en', {}],
    ['a list of texts', 'texts.en', []],
    ['a list as a sentence', 'texts.en.example', ['{purchase}']],
    ['a list as the closing', 'programs.0.closing', { en: ['<b>Bold</b>'], es: 1 }],
    ['an object as the fees', 'programs.0.fees', {}],
    ['an object as the offers', 'programs.0.offers', {}],
    ['offers without terms', 'programs.0.offers', [{}]],
    ['no caps', 'programs.0.caps', null],
  ];
  it('with one invalid value cause a service error', async () => {
    const documents = wrongValues.map(([, path, value]) => JSON.stringify(replacedAt(real, path.split('.'), value)));
    const found = (await show(documents)).map(({ state, events, isLink, foreign }, index) => [
      wrongValues[index]![0],
      state,
      events,
      isLink,
      foreign,
    ]);
    expect(found).toEqual(wrongValues.map(([what]) => [what, 'failed', ['answer'], true, []]));
  });

  const attacks: Json[] = [
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
  it('never insert markup into the page, whichever field contains it', async () => {
    const documents = pathsOf(real).flatMap((path, index) => {
      const chosen = isNightly ? attacks : [attacks[index % attacks.length]!];
      return chosen.map((attack) => JSON.stringify(replacedAt(real, path, attack)));
    });
    const wrong = (await show(documents)).flatMap(({ state, events, isLink, foreign }, index) => {
      const outcome = `${state} ${events.join()}`;
      return isLink && !foreign.length && POSSIBLE_OUTCOMES.test(outcome)
        ? []
        : [`${outcome} ${foreign.join()} for ${documents[index]}`];
    });
    expect(wrong).toEqual([]);
  }, 120_000);

  it('with random changes produce the same quote as the service, or no quote', async () => {
    const changed = samples(isNightly ? 600 : 120, 11, (random) => {
      const of =
        random.fraction() < 0.5
          ? real
          : { ...real, programs: [{ ...rateSheet(randomProgram(random)), id: real.defaultProgramId }] };
      return mutated(of, random);
    });
    const outcomes = await show(changed.map(({ document }) => JSON.stringify(document)));
    const wrong = outcomes.flatMap((outcome, index) => {
      const { document, what } = changed[index]!;
      const fault = faultOf(outcome, JSON.parse(JSON.stringify(document)) as ProgramDocument);
      return fault ? [`${what}: ${fault}`] : [];
    });
    expect(wrong).toEqual([]);
    const failed = outcomes.filter(({ state }) => state === 'failed').length;
    expect([failed > 8, outcomes.length - failed > 8]).toEqual([true, true]);
  }, 120_000);
});

/** Returns why an outcome is not allowed, or undefined if it is. */
function faultOf({ state, events, quote, isLink, text, foreign }: Outcome, document: ProgramDocument): string | undefined {
  if (!isLink || foreign.length) return `no link, or ${foreign.join()}`;
  if (state === 'failed') return /^(answer|program)$/.test(events.join()) ? undefined : `failed with ${events.join()}`;
  if (events.length) return `${state} with ${events.join()}`;
  if (WRONG.test(text)) return `says ${WRONG.exec(text)![0]}: ${text.slice(0, 2000)}`;
  const expected = JSON.stringify(quoteOf(document));
  return JSON.stringify(quote) === expected ? undefined : `quotes ${JSON.stringify(quote)}, not ${expected}`;
}

function quoteOf({ programs, defaultProgramId, texts }: ProgramDocument): unknown {
  const sheet = programs.find(({ id }) => id === defaultProgramId);
  try {
    return asLowAs(sheet!, AMOUNT_CENTS, new Date().toISOString().slice(0, 10), texts.en);
  } catch (error) {
    return String(error);
  }
}

/** Returns the paths of all primitive values, following only the first two entries of each list. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, of]) =>
    Array.isArray(value) && key !== '0' && key !== '1' ? [] : pathsOf(of, [...path, key]),
  );
}
