/** In which language a buyer is spoken to, and that they are spoken to in that one alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { english } from '../../../../server/checkout/texts/en.ts';
import { spanish } from '../../../../server/checkout/texts/es.ts';
import { plusDays } from '../../../../server/time.ts';
import { importProgram } from '../../../../server/merchants/import-program.ts';
import { elaborate } from '../../../shared/disclosure/given-box.ts';
import { chair, createCart, open, type Page, post, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { givenProgram } from '../../../support/programs.ts';
import { piecesOf, sentencesOf } from '../sentences.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.createMerchant();
});
const languageOf = ({ text }: Pick<Page, 'text'>) => /<html lang="(\w+)"/.exec(text)?.[1];
const opened = (url: string, acceptLanguage?: string) =>
  fetchResponse(url, { headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage } });

describe('The language of a page', () => {
  it.each([
    ['in what their browser prefers', 'es-MX,es;q=0.9,en;q=0.8', '', 'es'],
    ['in what their browser prefers', 'en-US,en;q=0.9,es;q=0.8', '', 'en'],
    ['in the one we have of those they read', 'fr,es;q=0.5', '', 'es'],
    ['in English when they read neither', 'de,fr', '', 'en'],
    ['in English when their browser does not say', undefined, '', 'en'],
    ['in English when their browser says nonsense', ';;q=,%00', '', 'en'],
    ['in what the address names, whatever their browser prefers', 'en', '?lang=es', 'es'],
    ['in what the address names, whatever their browser prefers', 'es', '?lang=en', 'en'],
    ['as if the address named nothing, when it names another', 'es', '?lang=fr', 'es'],
    ['as if the address named nothing, when it names two', 'es', '?lang=en&lang=en', 'es'],
  ])('%s: %s%s', async (_what, acceptLanguage, query, expected) => {
    const { url } = await createCart(merchant);
    const response = await opened(url + query, acceptLanguage);
    expect(response.headers.get('location')).toBe(`${new URL(url).pathname}/details?lang=${expected}`);
  });

  it('in one language in all headers and attributes of a page', async () => {
    const { url } = await createCart(merchant);
    for (const lang of ['en', 'es']) {
      const page = await open(`${url}?lang=${lang}`);
      expect([languageOf(page), page.headers.get('content-language')]).toEqual([lang, lang]);
      expect(page.headers.get('vary')).not.toContain('language');
    }
    const preferred = await opened(`${url}/details`, 'es');
    expect(languageOf(preferred)).toBe('es');
    expect(preferred.headers.get('vary')).toContain('accept-language');
  });

  it('even if the link is unknown, and the other language has no other path', async () => {
    for (const code of ['unknown', '%00', '%2e%2e%2f', '%E0%A4%A', '%22%3E%3Cscript%3E']) {
      const page = await opened(`${service.publicUrl}/c/${code}/x/y`, 'es');
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
    let page = await open((await createCart(merchant)).url);
    for (const key of ['details', 'application', 'plans', 'agreement'] as const) {
      const other = await follow(page);
      expect([page.heading, other.heading]).toEqual([english[key].title, spanish[key].title]);
      expect((await follow(other)).url).toBe(page.url);
      page = await submit(page);
    }
  });

  it('preserves the display parameter, as every link, form and redirect does', async () => {
    const page = await open(`${(await createCart(merchant)).url}?display=frame`);
    expect(page.url).toMatch(/\/details\?lang=en&display=frame$/);
    expect((await follow(page)).url).toMatch(/\/details\?lang=es&display=frame$/);
    const applying = await submit(page);
    expect(applying.url).toMatch(/\/apply\?lang=en&display=frame$/);
    expect((await open(applying.url.replace('apply', 'agreement'))).url).toMatch(/\/apply\?lang=en&display=frame$/);
  });

  it('shows validation errors in the language of the submitted form', async () => {
    const { url } = await createCart(merchant);
    const response = await submit(await open(`${url}?lang=es`), { zip: '', shipElsewhere: '' });
    expect(response).toMatchObject({ status: 422, heading: 'Sus datos' });
    expect(response.text).toContain('<title>Por favor revise: Sus datos · ');
    expect(response.text).toContain('Escriba un código postal (ZIP) de 5 dígitos');
  });

  it('can be undone by going back: the earlier URL still has its own language', async () => {
    const page = await open((await createCart(merchant)).url);
    const other = await follow(page);
    await submit(other);
    expect([languageOf(await open(page.url)), languageOf(await open(other.url))]).toEqual(['en', 'es']);
  });
});

describe('A buyer who reads Spanish', () => {
  const says = (text: string, words: string) =>
    new RegExp(`(?<!\\p{L})${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(text);
  const allSpanish = sentencesOf(spanish).join('|');
  /** What tells English: no Spanish sentence says it. */
  const foreign = [...new Set(sentencesOf(english).flatMap(([, sentence]) => piecesOf(sentence)))].filter(
    (piece) => !says(allSpanish, piece),
  );
  /** English that a page says, and places for values that were left open. The shop's own words are in no language of ours. */
  const strays = ({ text }: Pick<Page, 'text'>) => {
    const words = text
      .replace(/<option value="[A-Z]{2}".*?<\/option>/gs, '')
      .replace(/<(script|style)\b.*?<\/\1>/gs, '')
      .replace(/ (?:href|action|src|name|id|for|class|value|autocomplete|aria-describedby|aria-labelledby)="[^"]*"/g, '')
      .replace(/ (?:type|role|inputmode|method|rel|charset|tabindex)="[^"]*"/g, '')
      .replace(/<a class="language".*?<\/a>|<a lang="en".*?<\/a>/gs, '')
      .replace(/<[a-z]\w*|<\/[a-z]\w*/g, '|');
    const stray = foreign.filter((piece) => says(words, piece));
    return [...stray, ...(words.match(/\{\w+\}|undefined|\[object|NaN/g) ?? [])];
  };
  const walked = async (url: string, ...pages: Record<string, string>[]) => {
    // In a window a checkout that has failed is a page of ours.
    let page = await open(`${url}?lang=es&display=popup`);
    const seen = [page];
    for (const over of pages) seen.push((page = await submit(page, over)));
    for (const each of seen) expect([each.heading, languageOf(each), strays(each)]).toEqual([each.heading, 'es', []]);
    return seen;
  };

  it('sees every page in Spanish, from review to the signature and the copy', async () => {
    const seller = await service.createMerchant();
    await importProgram(
      service.database,
      givenProgram({ version: 2, ...elaborate }),
      [seller.merchantId],
      { asDefault: true },
      service.clock.now(),
    );
    const shippingOptions = [
      { type: 'Terrestre', typeId: 'ground', cost: 0 },
      { type: 'Rápido', typeId: 'express', cost: 2_900 },
    ];
    const items = [{ ...chair, name: '', sku: '', price: 124_800 }];
    const { url } = await createCart(seller, {
      items,
      shippingOptions,
      tax: 1_000,
      discounts: [{ amount: 500, description: 'Cupón' }],
    });
    const broken = { shippingTypeId: '', zip: '', shipElsewhere: 'yes' };
    const nothing = { signedName: '', agree: '', electronic: '' };
    const pages = await walked(
      url,
      broken,
      { shippingTypeId: 'ground', shipElsewhere: '' },
      { annualIncome: '', consent: '' },
      {},
      { offerId: 'x' },
      {},
      nothing,
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 422, 200, 422, 200, 422, 200, 422]);
    await submit(pages.at(-1)!);
    const copy = await open(`${sessionUrl(pages.at(-1)!)}?lang=es`);
    expect([copy.heading, strays(copy)]).toEqual([spanish.completed.title, []]);
    expect(copy.text).toContain('Firmado por Ada Lovelace el');
  });

  it('sees a denial in Spanish', async () => {
    const pages = await walked((await createCart(merchant)).url, {}, { taxIdLast4: '2001' });
    expect(pages.at(-1)!.heading).toBe(spanish.declined.title);
  });

  it('has Spanish pages for missing offers, unknown links and malformed forms', async () => {
    await walked((await createCart(merchant, { items: undefined, customTotal: 4_999 })).url);
    await walked(`${service.publicUrl}/c/unknown`);
    const tooLarge = await post(`${(await createCart(merchant)).url}/details?lang=es`, { ...typed, city: 'x'.repeat(100_000) });
    expect(tooLarge.status).toBe(413);
    expect(strays(tooLarge)).toEqual([]);
  });

  it.each([
    ['a part is lent and the rest is paid by card', [{}, { taxIdLast4: '1101' }, {}, {}], spanish.agreement.title],
    ['a card must be chosen', [{}, { taxIdLast4: '1101' }, {}, { card: '' }], spanish.card.title],
    ['the credit file is frozen', [{}, { taxIdLast4: '4001' }], spanish.needsAction.title],
    ['they could not be identified', [{}, { taxIdLast4: '4002' }], spanish.needsAction.title],
    ['their details must be corrected', [{}, { taxIdLast4: '4003' }], spanish.needsAction.title],
    ['they are not eligible', [{}, { taxIdLast4: '3001' }], spanish.unavailable.title],
    ['no lender can be asked', [{}, { taxIdLast4: '5001' }], spanish.noLender.title],
    ['the lender has not answered', [{}, { taxIdLast4: '5002' }], spanish.waiting.title],
    ['the lender has not confirmed', [{}, { taxIdLast4: '6001' }, {}, {}], spanish.waitingSigned.title],
    ['the lender withdrew', [{}, { taxIdLast4: '6002' }, {}, {}], spanish.declined.title],
  ])('sees in Spanish that %s', async (_what, pages, heading) => {
    const walk = await walked((await createCart(merchant)).url, ...(pages as Record<string, string>[]));
    expect(walk.at(-1)!.heading).toBe(heading);
  });

  it('sees in Spanish that they canceled, that their state is excluded, and that a link or an approval has expired', async () => {
    const { url } = await createCart(merchant);
    const [, applying] = await walked(url, {});
    await walked(`${sessionUrl(applying!)}/cancel`, {});

    const seller = await service.createMerchant();
    const program = givenProgram({ version: 2, states: { excluded: ['CA'] } });
    await importProgram(service.database, program, [seller.merchantId], { asDefault: true }, service.clock.now());
    const excluded = await walked((await createCart(seller)).url, { state: 'CA' });
    expect(excluded.at(-1)!.heading).toBe(spanish.unavailable.title);

    const late = await createCart(merchant, {}, { expiration: plusDays(service.clock.now(), 60).slice(0, 10) });
    const session = sessionUrl((await walked(late.url, {}, {}, {})).at(-1)!);
    const startedAt = service.clock.now();
    try {
      service.clock.moveTo(plusDays(startedAt, 6));
      const [agreement] = await walked(session);
      expect(agreement!.text).toContain('Puede extenderla una vez');
      service.clock.moveTo(plusDays(startedAt, 8));
      expect((await walked(session))[0]!.heading).toBe(spanish.expired.title);
    } finally {
      service.clock.moveTo(startedAt);
    }
  });

  it('the test detects English text in English pages', async () => {
    expect(strays(await open((await createCart(merchant)).url)).length).toBeGreaterThan(20);
  });
});
