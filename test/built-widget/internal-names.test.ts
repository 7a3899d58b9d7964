import { readdirSync, readFileSync } from 'node:fs';
import { minify } from 'terser';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../server/openapi/document.ts';
import { languages } from '../../shared/disclosure/languages.ts';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import { INTERNAL_NAMES } from '../../widget/build/internal-names.ts';
import { squeezeOptions } from '../../widget/build/squeeze.ts';
import { FinancingError } from '../../widget/events.ts';
import { FinancingButton } from '../../widget/financing-button.ts';
import { madeUpProgram } from '../shared/disclosure/made-up-programs.ts';
import { givenChromium, givenVisitor } from '../support/chromium.ts';
import { samples } from '../support/random.ts';
import { widgetFolder } from '../support/service.ts';

const scripts = ['financing-button.js', 'financing-button.iife.js'].map((name) =>
  readFileSync(`${widgetFolder}/${name}`, 'utf8'),
);
const sources = ['shared', 'widget'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('build/'))
    .map((name) => readFileSync(`${room}/${name}`, 'utf8')),
);

/** The listed names that are among these. */
const amongThem = (names: Iterable<string>) => {
  const all = new Set(names);
  return INTERNAL_NAMES.filter((name) => all.has(name));
};

describe('A name that the minifier shortens', () => {
  it('is in the sources, and in no built file', () => {
    const word = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
    expect(INTERNAL_NAMES.filter((name) => !sources.some((source) => word(name).test(source)))).toEqual([]);
    expect(INTERNAL_NAMES.filter((name) => scripts.some((script) => word(name).test(script)))).toEqual([]);
    expect(INTERNAL_NAMES).toEqual([...new Set(INTERNAL_NAMES)]);
  });

  it.each(INTERNAL_NAMES)('is none that the minifier knows from browsers: %s', async (name) => {
    const { code } = await minify(`export const read = (held) => held.${name};`, squeezeOptions);
    expect(code).not.toContain(name);
  });

  it('is none that goes over the wire', () => {
    const options = { publicUrl: 'https://financing.example', version: '1.0.0' };
    const described = (['sandbox', 'live'] as const).flatMap((mode) => keysIn(openApiDocument({ mode, ...options })));
    expect(described).toContain('asLowAsText');
    expect(amongThem(described)).toEqual([]);
  });

  it('is none of a program document, and no place in its texts', () => {
    const programs = samples(200, 7, (random) => rateSheet(madeUpProgram(random)));
    const keys = keysIn({ defaultProgramId: '', programs, texts: languages });
    const places = [...JSON.stringify(languages).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(keys).toContain('tierAprBps');
    expect(places).toContain('minApr');
    expect(amongThem([...keys, ...places])).toEqual([]);
  });

  it('is none that a page says to the element, or hears from it', () => {
    const error = new FinancingError('amount', '');
    const names = [FinancingButton, FinancingButton.prototype, error, FinancingError.prototype].flatMap(keysOf);
    expect(amongThem([...names, ...FinancingButton.observedAttributes])).toEqual([]);
  });

  it('is none that JSON-LD or a price element of a page has', () => {
    expect(amongThem('offers hasVariant priceSpecification lowPrice price priceCurrency amountCents'.split(' '))).toEqual([]);
  });

  it('is none that a browser knows', async () => {
    const { page } = await givenVisitor(await givenChromium());
    const known = await page.evaluate(() => {
      const own = (holder: object) => Object.getOwnPropertyNames(holder);
      const isObject = (value: unknown): value is { prototype?: object } => Object(value) === value;
      const valueOf = (of: object, name: string): unknown => {
        try {
          return Reflect.get(of, name);
        } catch {
          return undefined; // storage, to a page that has none
        }
      };
      const names = own(globalThis);
      const holders = [globalThis, Intl].flatMap((space) => own(space).map((name) => valueOf(space, name)));
      for (const holder of holders.filter(isObject)) names.push(...own(holder), ...own(holder.prototype ?? {}));
      // What objects of options are called is not to be found out; what some of them come back as is.
      const made = [new Intl.NumberFormat(), new Intl.DateTimeFormat(), new Intl.PluralRules()];
      for (const format of made) names.push(...Object.keys(format.resolvedOptions()));
      return names;
    });
    expect(known).toEqual(expect.arrayContaining(['attachInternals', 'numberingSystem', 'adoptedStyleSheets']));
    expect(amongThem(known)).toEqual([]);
  });
});

const keysOf = (holder: object): string[] => Object.getOwnPropertyNames(holder);

/** The names of all properties, however deep. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, of]) => [name, ...keysIn(of)]);
}
