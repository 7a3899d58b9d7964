import { aTimeout, assert, fixture, html } from '@open-wc/testing';
import { type Language, languageOf, months } from '../../widget/language.ts';
import { english } from '../../widget/texts/english.ts';

let pages = 0;

/** `languageOf` as a page has it that has asked for nothing yet. */
async function freshly(): Promise<typeof languageOf> {
  const module: { languageOf: typeof languageOf } = await import(`/widget/language.ts?page=${++pages}`);
  return module.languageOf;
}

/** What an element in this markup speaks, once that is settled. The element is the one called `speaker`. */
async function spokenIn(markup: string, ask = languageOf): Promise<Language> {
  const page = await fixture(html`<div></div>`);
  page.innerHTML = markup;
  return settledLanguage(page.querySelector('#speaker')!, ask);
}

async function settledLanguage(speaker: Element, ask = languageOf): Promise<Language> {
  const coming = new Promise<void>((come) => {
    if (!ask(speaker, come).isComing) come();
  });
  await coming;
  return ask(speaker, assert.fail);
}

const speaker = (lang?: string): string => (lang === undefined ? '<p id="speaker"></p>' : `<p id="speaker" lang="${lang}"></p>`);

describe('an element', () => {
  const around = document.documentElement.lang;
  afterEach(() => {
    document.documentElement.lang = around;
  });

  const cases: [what: string, markup: string, locale: string, close: string][] = [
    ['its own language', `<div lang="fr">${speaker('es')}</div>`, 'es-us', 'Cerrar'],
    ['that of the nearest element with one', `<div lang="es"><div lang="fr">${speaker()}</div></div>`, 'fr-us', 'Fermer'],
    ['English where the language is said to be unknown', `<div lang="fr">${speaker('')}</div>`, 'en-us', 'Close'],
    ['English where nothing is said', speaker(), 'en-us', 'Close'],
    ['a language of a drawing around it', `<svg lang="fr"><foreignObject>${speaker()}</foreignObject></svg>`, 'fr-us', 'Fermer'],
  ];
  for (const [what, markup, locale, close] of cases) {
    it(`speaks ${what}`, async () => {
      const language = await spokenIn(markup);
      assert.deepEqual([language.locale, language.texts.close], [locale, close]);
    });
  }

  it('speaks the language of the page', async () => {
    document.documentElement.lang = 'de-AT';

    const { locale, texts } = await spokenIn(speaker());

    assert.deepEqual([locale, texts.close], ['de-at', 'Schließen']);
  });

  it('speaks the language around the shadow roots it stands in', async () => {
    const outer = await fixture(html`<div lang="it"><p></p></div>`);
    const inner = outer.firstElementChild!.attachShadow({ mode: 'closed' }).appendChild(document.createElement('p'));
    const element = inner.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'));

    assert.equal((await settledLanguage(element)).texts.close, 'Chiudi');
  });

  it('speaks the language of its tree when it stands in no page', async () => {
    const tree = document.createElement('div');
    tree.lang = 'pt-BR';

    assert.equal((await settledLanguage(tree.appendChild(document.createElement('p')))).locale, 'pt-br');
  });
});

describe('a tag', () => {
  const tags: [lang: string, locale: string, estimate: string][] = [
    ['fr-CA', 'fr-ca', 'Dès {amount}/mois'],
    ['FR', 'fr-us', 'Dès {amount}/mois'],
    ['fr_CA', 'fr-ca', 'Dès {amount}/mois'],
    ['fr-Latn-CH-u-nu-latn', 'fr-ch', 'Dès {amount}/mois'],
    ['es-419', 'es-us', 'Desde {amount} al mes'],
    ['pt', 'pt-us', 'Desde {amount}/mês'],
    ['pt-PT', 'pt-pt', 'Desde {amount}/mês'],
    ['en-GB', 'en-gb', english.estimate],
    ['zh', 'zh-us', '每月{amount}起'],
    ['zh-CN', 'zh-cn', '每月{amount}起'],
    ['zh-Hans-HK', 'zh-hk', '每月{amount}起'],
    ['zh-Hant', 'zh-Hant-us', '每月{amount}起'],
    ['zh-TW', 'zh-Hant-tw', '每月{amount}起'],
  ];
  for (const [lang, locale, estimate] of tags) {
    it(`${lang} is spoken as ${locale}`, async () => {
      const language = await spokenIn(speaker(lang));
      assert.deepEqual([language.locale, language.texts.estimate], [locale, estimate]);
      assert.doesNotThrow(() => new Intl.NumberFormat(language.locale));
    });
  }

  for (const [lang, more] of [
    ['zh-CN', '了解详情'],
    ['zh-SG', '了解详情'],
    ['zh-Hans-TW', '了解详情'],
    ['zh-HK', '了解詳情'],
    ['zh-Hant-CN', '了解詳情'],
  ]) {
    it(`${lang} is written as in ${more}`, async () => {
      assert.equal((await spokenIn(speaker(lang))).texts.more, more);
    });
  }

  const nonsense = ['xx', 'tlh', 'frr', 'esperanto', 'i-klingon', 'x-private', 'fr-', 'fr--CA', '-', '__proto__', 'constructor'];
  for (const lang of [...nonsense, 'fr-1!', '../en', 'zh-Hant/../../evil', 'fr\nCA', '🙂', 'a'.repeat(9_999)]) {
    it(`${JSON.stringify(lang).slice(0, 30)} is no reason to throw`, async () => {
      const { locale, texts } = await spokenIn(speaker(lang));

      assert.include(['en', 'fr', 'zh'], locale.slice(0, 2));
      assert.isString(texts.estimate);
      assert.doesNotThrow(() => months(2, locale));
    });
  }
});

describe('the texts', () => {
  it('of English are there at once, and those of no other language', async () => {
    const page = await fixture(html`<div><p lang="en"></p><p lang="sv"></p></div>`);
    const [one, other] = page.children;
    const ask = await freshly();

    assert.deepEqual(ask(one!, assert.fail), { locale: 'en-us', texts: english, isComing: false });
    assert.deepEqual(
      ask(other!, () => {}),
      { locale: 'sv-us', texts: english, isComing: true },
    );
  });

  it('come once for any number of elements', async () => {
    const page = await fixture(html`<div lang="ja"></div>`);
    page.innerHTML = '<p></p>'.repeat(24);

    const ask = await freshly();
    performance.clearResourceTimings();

    const languages = await Promise.all([...page.children].map((child) => settledLanguage(child, ask)));
    languages.push(await settledLanguage(page, ask));

    assert.deepEqual(new Set(languages.map(({ texts }) => texts.close)), new Set(['閉じる']));
    await aTimeout(50);
    const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/texts/ja.json'));
    assert.lengthOf(asked, 1);
  });
});

describe('texts that do not come as they should', () => {
  const { fetch } = window;
  afterEach(() => {
    window.fetch = fetch;
  });

  const answers: [what: string, lang: string, answer: () => Promise<Response>][] = [
    ['no connection', 'ar', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a page that says there is nothing', 'he', () => Promise.resolve(new Response('<h1>404</h1>', { status: 404 }))],
    ['an error in JSON', 'ko', () => Promise.resolve(Response.json({ error: { type: 'x' } }, { status: 404 }))],
    ['null', 'nl', () => Promise.resolve(Response.json(null))],
    ['a number', 'sv', () => Promise.resolve(Response.json(7))],
    ['half a file', 'pl', () => Promise.resolve(new Response('{"estimate": "Od {am'))],
  ];
  for (const [what, lang, answer] of answers) {
    it(`such as ${what} leave English, its numbers and its direction`, async () => {
      window.fetch = answer;

      const { locale, texts } = await spokenIn(speaker(`${lang}-CA`), await freshly());

      assert.deepEqual([locale, texts], ['en-ca', english]);
    });
  }

  it('are waited for no longer than some seconds', async () => {
    window.fetch = (_address, options) =>
      new Promise((_, reject) => options!.signal!.addEventListener('abort', () => reject(new Error('Too slow'))));

    assert.equal((await spokenIn(speaker('it'), await freshly())).locale, 'en-us');
  });

  it('give what is a string', async () => {
    const given =
      '{"estimate": "منذ {amount}", "close": 7, "apr": ["x"], "term": {"strings": ["<b>"]}, "__proto__": {"x": 1}, "more": "المزيد", "new": "x"}';
    window.fetch = () => Promise.resolve(new Response(given));

    const { texts } = await spokenIn(speaker('ar'), await freshly());

    assert.deepEqual(texts, { ...english, estimate: 'منذ {amount}', more: 'المزيد', new: 'x' } as typeof english);
  });

  it('are asked for without cookies', async () => {
    let asked: RequestInit | undefined;
    window.fetch = (_address, options) => {
      asked = options;
      return Promise.reject(new TypeError('Failed to fetch'));
    };

    await spokenIn(speaker('fr'), await freshly());

    assert.equal(asked!.credentials, 'omit');
  });
});
