import { assert, fixture, html } from '@open-wc/testing';
import { type Language, languageOf, months } from '../../widget/language.ts';
import { widget as english } from '../../shared/languages/en/widget.ts';

/** Returns the language of the element `target` in this markup, after its texts have loaded. */
async function languageOfMarkup(markup: string): Promise<Language> {
  const page = await fixture(html`<div></div>`);
  page.innerHTML = markup;
  return loadLanguage(page.querySelector('#target')!);
}

async function loadLanguage(element: Element): Promise<Language> {
  const language = languageOf(element, () => {});
  await language.loading;
  return language;
}

const targetWithLang = (lang?: string): string =>
  lang === undefined ? '<p id="target"></p>' : `<p id="target" lang="${lang}"></p>`;

describe('an element', () => {
  const originalLang = document.documentElement.lang;
  afterEach(() => {
    document.documentElement.lang = originalLang;
  });

  const cases: [description: string, markup: string, locale: string, label: string][] = [
    ['its own lang attribute', `<div lang="en-GB">${targetWithLang('es')}</div>`, 'es-US', 'Pagar a plazos'],
    [
      'the lang attribute of its nearest ancestor with one',
      `<div lang="en"><div lang="es">${targetWithLang()}</div></div>`,
      'es-US',
      'Pagar a plazos',
    ],
    ['English if its lang attribute is empty', `<div lang="es">${targetWithLang('')}</div>`, 'en-US', 'Pay over time'],
    ['English if no element has a lang attribute', targetWithLang(), 'en-US', 'Pay over time'],
    [
      'the lang attribute of an SVG ancestor',
      `<svg lang="es"><foreignObject>${targetWithLang()}</foreignObject></svg>`,
      'es-US',
      'Pagar a plazos',
    ],
  ];
  for (const [description, markup, locale, label] of cases) {
    it(`uses ${description}`, async () => {
      const language = await languageOfMarkup(markup);
      assert.deepEqual([language.locale, language.texts.label], [locale, label]);
    });
  }

  it('uses the language of the page', async () => {
    document.documentElement.lang = 'es-MX';

    const { locale, texts } = await languageOfMarkup(targetWithLang());

    assert.deepEqual([locale, texts.label], ['es-MX', 'Pagar a plazos']);
  });

  it('uses the language of an ancestor outside its shadow roots', async () => {
    const outer = await fixture(html`<div lang="es"><p></p></div>`);
    const inner = outer.firstElementChild!.attachShadow({ mode: 'closed' }).appendChild(document.createElement('p'));
    const element = inner.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'));

    assert.equal((await loadLanguage(element)).texts.label, 'Pagar a plazos');
  });

  it('uses the language of its tree if it is not in a document', async () => {
    const tree = document.createElement('div');
    tree.lang = 'es-PR';

    assert.equal((await loadLanguage(tree.appendChild(document.createElement('p')))).locale, 'es-PR');
  });
});

describe('the language tag', () => {
  const tags: [lang: string, locale: string, estimate: string][] = [
    ['es-MX', 'es-MX', 'Desde {amount} al mes'],
    ['ES', 'es-US', 'Desde {amount} al mes'],
    ['es_MX', 'es-MX', 'Desde {amount} al mes'],
    ['es-Latn-ES-u-nu-latn', 'es-ES', 'Desde {amount} al mes'],
    ['es-419', 'es-419', 'Desde {amount} al mes'],
    ['en-GB', 'en-GB', english.estimate],
    ['fr', 'en-US', english.estimate],
    ['fr-CA', 'en-CA', english.estimate],
    ['ar', 'en-US', english.estimate],
  ];
  for (const [lang, locale, estimate] of tags) {
    it(`${lang} selects ${locale}`, async () => {
      const language = await languageOfMarkup(targetWithLang(lang));
      assert.deepEqual([language.locale, language.texts.estimate], [locale, estimate]);
      assert.doesNotThrow(() => new Intl.NumberFormat(language.locale));
    });
  }

  const unusualTags =
    'xx tlh est esperanto i-klingon x-private es- es--MX - __proto__ constructor es-1! ../en es/../../evil 🙂'.split(' ');
  unusualTags.push('es\nMX', 'a'.repeat(9_999));
  for (const lang of unusualTags) {
    it(`${JSON.stringify(lang).slice(0, 30)} selects a language with texts and a valid locale`, async () => {
      const { locale, texts } = await languageOfMarkup(targetWithLang(lang));

      assert.include(['en', 'es'], locale.slice(0, 2));
      assert.isString(texts.estimate);
      assert.doesNotThrow(() => months(2, locale));
    });
  }
});

describe('the texts', () => {
  it('are immediately available in English, and notify the element when another language has loaded', async () => {
    const page = await fixture(html`<div><p lang="en"></p><p lang="nn"></p><p lang="es-UY"></p></div>`);
    const [inEnglish, inUnknown, inSpanish] = page.children;

    assert.deepEqual(languageOf(inEnglish!, assert.fail), { locale: 'en-US', texts: english });
    assert.equal((await loadLanguage(inUnknown!)).texts, english);
    await new Promise<void>((onLoad) => {
      assert.equal(languageOf(inSpanish!, onLoad).texts, english);
    });
    assert.equal(languageOf(inSpanish!, assert.fail).texts.label, 'Pagar a plazos');
  });
});

describe('a number of months has the plural forms', () => {
  const expectedTexts: [locale: string, ...of: [one: string, two: string, five: string, twentyFour: string]][] = [
    ['en-us', '1 month', '2 months', '5 months', '24 months'],
    ['es-us', '1 mes', '2 meses', '5 meses', '24 meses'],
    ['en-ca', '1 month', '2 months', '5 months', '24 months'],
    ['es-mx', '1 mes', '2 meses', '5 meses', '24 meses'],
  ];
  for (const [locale, ...expected] of expectedTexts) {
    it(`of ${locale}`, () => {
      assert.deepEqual(
        [1, 2, 5, 24].map((count) => months(count, locale)),
        expected,
      );
    });
  }
});
