/** The language of checkout pages. A page contains no text in another language. */
import { fill } from '../../shared/languages/texts.ts';
import { describe, expect, it } from 'vitest';
import { checkout as english } from '../../shared/languages/en/checkout.ts';
import { checkout as spanish } from '../../shared/languages/es/checkout.ts';
import { plusDays } from '../../server/base/time.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { elaborate } from '../shared/disclosure/create-disclosure.ts';
import { chair, createCart, open, type Page, post, sessionUrl, submit, typed } from '../support/checkout.ts';
import { createProgram } from '../support/programs.ts';
import { piecesOf, sentencesOf } from './checkout/sentences.ts';
import { fetchResponse, startService } from '../support/service.ts';
import { dateIn } from '../../shared/dates.ts';

const service = await startService();
const merchant = await service.createMerchant();
const languageOf = ({ text }: Pick<Page, 'text'>) => /<html lang="(\w+)"/.exec(text)?.[1];
const fetchWith = (url: string, acceptLanguage?: string) =>
  fetchResponse(url, { headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage } });

describe('The language of a page', () => {
  it.each([
    ['is the one that the browser prefers', 'es-MX,es;q=0.9,en;q=0.8', '', 'es'],
    ['is the one that the browser prefers', 'en-US,en;q=0.9,es;q=0.8', '', 'en'],
    ['is a supported one of those that the browser accepts', 'fr,es;q=0.5', '', 'es'],
    ['is English if the browser accepts none that is supported', 'de,fr', '', 'en'],
    ['is English without a preference', undefined, '', 'en'],
    ['is English if the preference is malformed', ';;q=,%00', '', 'en'],
    ['is that of the URL, regardless of the browser', 'en', '?lang=es', 'es'],
    ['is that of the URL, regardless of the browser', 'es', '?lang=en', 'en'],
    ['ignores an unsupported one in the URL', 'es', '?lang=fr', 'es'],
    ['ignores two in the URL', 'es', '?lang=en&lang=en', 'es'],
  ])('%s: %s %s', async (_title, acceptLanguage, query, expected) => {
    const { url } = await createCart(merchant);
    const page = await fetchWith(url + query, acceptLanguage);
    expect(languageOf(page)).toBe(expected);
    expect(page.text).toContain(`action="${new URL(url).pathname}/details?lang=${expected}"`);
  });

  it('is the same in the headers and attributes of a page', async () => {
    const { url } = await createCart(merchant);
    for (const lang of ['en', 'es']) {
      const page = await open(`${url}?lang=${lang}`);
      expect([languageOf(page), page.headers.get('content-language')]).toEqual([lang, lang]);
      expect(page.headers.get('vary')).not.toContain('language');
    }
    const preferred = await fetchWith(`${url}/details`, 'es');
    expect(languageOf(preferred)).toBe('es');
    expect(preferred.headers.get('vary')).toContain('accept-language');
  });

  it('is respected by pages of unknown links, which link to the other language', async () => {
    for (const code of ['unknown', '%00', '%2e%2e%2f', '%E0%A4%A', '%22%3E%3Cscript%3E']) {
      const page = await fetchWith(`${service.publicUrl}/c/${code}/x/y`, 'es');
      expect(languageOf(page)).toBe('es');
      expect(page.text).toMatch(/<a class="language" href="\/c\/(unknown|-)\?lang=en" lang="en" hreflang="en">English<\/a>/);
    }
  });
});

describe('The link to the other language', () => {
  const follow = (page: Page) => {
    const [, href = '', label] = /<a class="language" href="([^"]*)"[^>]*>([^<]*)</.exec(page.text)!;
    expect(label).toBe(languageOf(page) === 'en' ? 'Español' : 'English');
    return open(new URL(href.replaceAll('&amp;', '&'), page.url).href);
  };

  it('leads to the same step, and back, on every step and at the end', async () => {
    let page = await open(`${(await createCart(merchant)).url}/details?lang=en`);
    for (const key of ['details', 'application', 'plans', 'agreement'] as const) {
      const other = await follow(page);
      expect([page.heading, other.heading]).toEqual(
        [english, spanish].map((texts) => fill(texts[key].title, { total: '$750.00' })),
      );
      expect((await follow(other)).url).toBe(page.url);
      page = await submit(page);
    }
  });

  it('preserves the display parameter, as every link, form and redirect does', async () => {
    const page = await open(`${(await createCart(merchant)).url}?display=frame`);
    expect((await follow(page)).url).toMatch(/\/details\?lang=es&display=frame$/);
    const applying = await submit(page);
    expect(applying.url).toMatch(/\/apply\?lang=en&display=frame$/);
    expect((await open(applying.url.replace('apply', 'agreement'))).url).toMatch(/\/apply\?lang=en&display=frame$/);
  });

  it('shows validation errors in the language of the submitted form', async () => {
    const { url } = await createCart(merchant);
    const response = await submit(await open(`${url}?lang=es`), { zip: '', shipElsewhere: '' });
    expect(response).toMatchObject({ status: 422, heading: 'Sus datos' });
    expect(response.text).toContain('<title>Errores en el formulario: Sus datos · ');
    expect(response.text).toContain('Escriba su código postal (ZIP)');
  });

  it('can be undone by going back, because each URL has its language', async () => {
    const page = await open((await createCart(merchant)).url);
    const other = await follow(page);
    await submit(other);
    expect([languageOf(await open(page.url)), languageOf(await open(other.url))]).toEqual(['en', 'es']);
  });
});

describe('A buyer with Spanish pages', () => {
  const contains = (text: string, phrase: string) =>
    new RegExp(`(?<!\\p{L})${phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(text);
  const allSpanish = sentencesOf(spanish).join('|');
  /** English phrases that occur in no Spanish sentence. */
  const englishPhrases = [...new Set(sentencesOf(english).flatMap(([, sentence]) => piecesOf(sentence)))].filter(
    (piece) => !contains(allSpanish, piece),
  );
  /** Returns the English phrases and unfilled placeholders of a page, without the merchant's texts. */
  const untranslated = ({ text }: Pick<Page, 'text'>) => {
    const content = text
      .replace(/<option value="[A-Z]{2}".*?<\/option>/gs, '')
      .replace(/<(script|style)\b.*?<\/\1>/gs, '')
      .replace(/ (?:href|action|src|name|id|for|class|value|autocomplete|aria-describedby|aria-labelledby)="[^"]*"/g, '')
      .replace(/ (?:type|role|inputmode|method|rel|charset|tabindex)="[^"]*"/g, '')
      .replace(/<a class="language".*?<\/a>|<a lang="en".*?<\/a>/gs, '')
      .replace(/<[a-z]\w*|<\/[a-z]\w*/g, '|');
    const phrases = englishPhrases.filter((piece) => contains(content, piece));
    return [...phrases, ...(content.match(/\{\w+\}|undefined|\[object|NaN/g) ?? [])];
  };
  const walk = async (url: string, ...inputs: Record<string, string>[]) => {
    // With display=popup, a failed checkout shows a page instead of a redirect.
    let page = await open(`${url}?lang=es&display=popup`);
    const pages = [page];
    for (const input of inputs) pages.push((page = await submit(page, input)));
    for (const each of pages) expect([each.heading, languageOf(each), untranslated(each)]).toEqual([each.heading, 'es', []]);
    return pages;
  };

  it('sees every page from the details to the completed purchase in Spanish', async () => {
    const otherMerchant = await service.createMerchant();
    await importProgram(
      service.database,
      createProgram({ version: 2, ...elaborate, fees: elaborate.fees.slice(0, 1) }),
      [otherMerchant.merchantId],
      { asDefault: true },
      service.clock.now(),
    );
    const shippingOptions = [
      { type: 'Terrestre', typeId: 'ground', cost: 0 },
      { type: 'Rápido', typeId: 'express', cost: 2_900 },
    ];
    const items = [{ ...chair, name: '', sku: '', price: 124_800 }];
    const { url } = await createCart(otherMerchant, {
      items,
      shippingOptions,
      tax: 1_000,
      discounts: [{ amount: 500, description: 'Cupón' }],
    });
    const invalidDetails = { shippingTypeId: '', zip: '', shipElsewhere: 'yes' };
    const unsigned = { signedName: '', agree: '', electronic: '' };
    const pages = await walk(
      url,
      invalidDetails,
      { shippingTypeId: 'ground', shipElsewhere: '' },
      { annualIncome: '', consent: '' },
      {},
      { offerId: 'x' },
      {},
      {},
      unsigned,
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 422, 200, 422, 200, 422, 200, 200, 422]);
    await submit(pages.at(-1)!);
    const copy = await open(`${sessionUrl(pages.at(-1)!)}?lang=es`);
    expect([copy.heading, untranslated(copy)]).toEqual([spanish.completed.title, []]);
    expect(copy.text).toContain('Firmado por Ada Lovelace el');
  });

  it('sees a denial in Spanish', async () => {
    const pages = await walk((await createCart(merchant)).url, {}, { taxIdLast4: '2001' });
    expect(pages.at(-1)!.heading).toBe(spanish.declined.title);
  });

  it('has Spanish pages for missing offers, unknown links and malformed forms', async () => {
    await walk((await createCart(merchant, { items: undefined, customTotal: 4_999 })).url);
    await walk(`${service.publicUrl}/c/unknown`);
    const tooLarge = await post(`${(await createCart(merchant)).url}/details?lang=es`, { ...typed, city: 'x'.repeat(100_000) });
    expect(tooLarge.status).toBe(413);
    expect(untranslated(tooLarge)).toEqual([]);
  });

  it.each([
    ['the remainder is paid by card', [{}, { taxIdLast4: '1101' }, {}, {}], spanish.agreement.title],
    ['a card must be chosen', [{}, { taxIdLast4: '1101' }, {}, { card: '' }], spanish.card.title],
    ['the credit file is frozen', [{}, { taxIdLast4: '4001' }], spanish.needsAction.actions['unfreeze-credit-file'].title],
    ['the identity could not be confirmed', [{}, { taxIdLast4: '4002' }], spanish.needsAction.actions['confirm-identity'].title],
    ['the details must be corrected', [{}, { taxIdLast4: '4003' }], spanish.needsAction.actions['correct-details'].title],
    ['the buyer is not eligible', [{}, { taxIdLast4: '3001' }], spanish.unavailable.title],
    [
      'the lender is unavailable',
      [{}, { taxIdLast4: '5001' }],
      fill(spanish.application.unreachable, { lender: 'Fairterm Lending' }),
    ],
    ['the decision is pending', [{}, { taxIdLast4: '5002' }], spanish.waiting.title],
    ['the confirmation of the lender is pending', [{}, { taxIdLast4: '6001' }, {}, {}], spanish.waitingSigned.title],
    ['the lender withdrew the loan', [{}, { taxIdLast4: '6002' }, {}, {}], spanish.withdrawn.title],
  ])('sees in Spanish that %s', async (_event, inputs, heading) => {
    const pages = await walk((await createCart(merchant)).url, ...(inputs as Record<string, string>[]));
    expect(pages.at(-1)!.heading).toBe(heading);
  });

  it('sees in Spanish that the application is canceled, the state is excluded, or the approval expires or has expired', async () => {
    const { url } = await createCart(merchant);
    const [, applying] = await walk(url, {});
    await walk(`${sessionUrl(applying!)}/cancel`, {});

    const otherMerchant = await service.createMerchant();
    const program = createProgram({ version: 2, states: { excluded: ['CA'] } });
    await importProgram(service.database, program, [otherMerchant.merchantId], { asDefault: true }, service.clock.now());
    const excluded = await walk((await createCart(otherMerchant)).url, { state: 'CA' });
    expect(excluded.at(-1)!.heading).toBe(spanish.unavailable.title);

    const cart = await createCart(merchant, {}, { expiration: dateIn(plusDays(service.clock.now(), 60), 'UTC') });
    const session = sessionUrl((await walk(cart.url, {}, {}, {})).at(-1)!);
    const startedAt = service.clock.now();
    try {
      service.clock.moveTo(plusDays(startedAt, 6));
      const [agreement] = await walk(session);
      expect(agreement!.text).toContain('Puede extenderla una vez');
      service.clock.moveTo(plusDays(startedAt, 8));
      expect((await walk(session))[0]!.heading).toBe(spanish.endedApplication.titles.approval);
    } finally {
      service.clock.moveTo(startedAt);
    }
  });

  it('is protected from English phrases by a check that finds them in English pages', async () => {
    expect(untranslated(await open((await createCart(merchant)).url)).length).toBeGreaterThan(20);
  });
});
