import { assert, fixture, html } from '@open-wc/testing';
import { type Language, languageOf, months } from '../../widget/language.ts';
import { english } from '../../widget/texts/en.ts';
import { until } from './support.ts';

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

  const cases: [description: string, markup: string, locale: string, close: string][] = [
    ['its own lang attribute', `<div lang="fr">${targetWithLang('es')}</div>`, 'es-US', 'Cerrar'],
    [
      'the lang attribute of its nearest ancestor with one',
      `<div lang="es"><div lang="fr">${targetWithLang()}</div></div>`,
      'fr-US',
      'Fermer',
    ],
    ['English if its lang attribute is empty', `<div lang="fr">${targetWithLang('')}</div>`, 'en-US', 'Close'],
    ['English if no element has a lang attribute', targetWithLang(), 'en-US', 'Close'],
    [
      'the lang attribute of an SVG ancestor',
      `<svg lang="fr"><foreignObject>${targetWithLang()}</foreignObject></svg>`,
      'fr-US',
      'Fermer',
    ],
  ];
  for (const [description, markup, locale, close] of cases) {
    it(`uses ${description}`, async () => {
      const language = await languageOfMarkup(markup);
      assert.deepEqual([language.locale, language.texts.close], [locale, close]);
    });
  }

  it('uses the language of the page', async () => {
    document.documentElement.lang = 'de-AT';

    const { locale, texts } = await languageOfMarkup(targetWithLang());

    assert.deepEqual([locale, texts.close], ['de-AT', 'Schließen']);
  });

  it('uses the language of an ancestor outside its shadow roots', async () => {
    const outer = await fixture(html`<div lang="it"><p></p></div>`);
    const inner = outer.firstElementChild!.attachShadow({ mode: 'closed' }).appendChild(document.createElement('p'));
    const element = inner.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'));

    assert.equal((await loadLanguage(element)).texts.close, 'Chiudi');
  });

  it('uses the language of its tree if it is not in a document', async () => {
    const tree = document.createElement('div');
    tree.lang = 'pt-BR';

    assert.equal((await loadLanguage(tree.appendChild(document.createElement('p')))).locale, 'pt-BR');
  });
});

describe('the language tag', () => {
  const tags: [lang: string, locale: string, estimate: string][] = [
    ['fr-CA', 'fr-CA', 'Dès {amount}/mois'],
    ['FR', 'fr-US', 'Dès {amount}/mois'],
    ['fr_CA', 'fr-CA', 'Dès {amount}/mois'],
    ['fr-Latn-CH-u-nu-latn', 'fr-CH', 'Dès {amount}/mois'],
    ['es-419', 'es-419', 'Desde {amount} al mes'],
    ['pt', 'pt-US', 'Desde {amount}/mês'],
    ['pt-PT', 'pt-PT', 'Desde {amount}/mês'],
    ['en-GB', 'en-GB', english.estimate],
    ['zh', 'zh-US', '每月{amount}起'],
    ['zh-CN', 'zh-CN', '每月{amount}起'],
    ['zh-Hans-HK', 'zh-HK', '每月{amount}起'],
    ['zh-Hant', 'zh-Hant-US', '每月{amount}起'],
    ['zh-TW', 'zh-Hant-TW', '每月{amount}起'],
  ];
  for (const [lang, locale, estimate] of tags) {
    it(`${lang} selects ${locale}`, async () => {
      const language = await languageOfMarkup(targetWithLang(lang));
      assert.deepEqual([language.locale, language.texts.estimate], [locale, estimate]);
      assert.doesNotThrow(() => new Intl.NumberFormat(language.locale));
    });
  }

  for (const [lang, learnMore] of [
    ['iw', 'מידע נוסף'],
    ['cmn-Hant', '了解詳情'],
    ['zh-CN', '了解详情'],
    ['zh-SG', '了解详情'],
    ['zh-Hans-TW', '了解详情'],
    ['zh-HK', '了解詳情'],
    ['zh-Hant-CN', '了解詳情'],
  ]) {
    it(`${lang} has the text ${learnMore}`, async () => {
      assert.equal((await languageOfMarkup(targetWithLang(lang))).texts.more, learnMore);
    });
  }

  const unusualTags = [
    'xx',
    'tlh',
    'frr',
    'esperanto',
    'i-klingon',
    'x-private',
    'fr-',
    'fr--CA',
    '-',
    '__proto__',
    'constructor',
    'fr-1!',
    '../en',
    'zh-Hant/../../evil',
    'fr\nCA',
    '🙂',
    'a'.repeat(9_999),
  ];
  for (const lang of unusualTags) {
    it(`${JSON.stringify(lang).slice(0, 30)} selects a language with texts and a valid locale`, async () => {
      const { locale, texts } = await languageOfMarkup(targetWithLang(lang));

      assert.include(['en', 'fr', 'zh'], locale.slice(0, 2));
      assert.isString(texts.estimate);
      assert.doesNotThrow(() => months(2, locale));
    });
  }
});

describe('the texts', () => {
  it('are immediately available in English, and notify the element when another language has loaded', async () => {
    const page = await fixture(html`<div><p lang="en"></p><p lang="nn"></p><p lang="sv-FI"></p></div>`);
    const [inEnglish, inUnknown, inSwedish] = page.children;

    assert.deepEqual(languageOf(inEnglish!, assert.fail), { locale: 'en-US', texts: english });
    assert.equal((await loadLanguage(inUnknown!)).texts, english);
    await new Promise<void>((onLoad) => {
      assert.equal(languageOf(inSwedish!, onLoad).texts, english);
    });
    assert.equal(languageOf(inSwedish!, assert.fail).texts.close, 'Stäng');
  });

  it('are loaded once for any number of elements and regions', async () => {
    const page = await fixture(html`<div lang="ja"></div>`);
    page.innerHTML = '<p></p>'.repeat(24) + '<p lang="ja-JP"></p>';

    const languages = await Promise.all([...page.children].map((child) => loadLanguage(child)));
    languages.push(await loadLanguage(page));

    assert.deepEqual(new Set(languages.map(({ texts }) => texts.close)), new Set(['閉じる']));
    const requests = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/texts/ja.ts'));
    await until(() => requests().length > 0, 'no request');
    assert.lengthOf(requests(), 1);
  });
});

describe('a number of months has the plural forms', () => {
  const expectedTexts: [locale: string, ...of: [one: string, two: string, five: string, twentyFour: string]][] = [
    ['en-us', '1 month', '2 months', '5 months', '24 months'],
    ['es-us', '1 mes', '2 meses', '5 meses', '24 meses'],
    ['fr-us', '1 mois', '2 mois', '5 mois', '24 mois'],
    ['fr-ca', '1 mois', '2 mois', '5 mois', '24 mois'],
    ['de-us', '1 Monat', '2 Monate', '5 Monate', '24 Monate'],
    ['pt-us', '1 mês', '2 meses', '5 meses', '24 meses'],
    ['it-us', '1 mese', '2 mesi', '5 mesi', '24 mesi'],
    ['nl-us', '1 maand', '2 maanden', '5 maanden', '24 maanden'],
    ['pl-us', '1 miesiąc', '2 miesiące', '5 miesięcy', '24 miesiące'],
    ['sv-us', '1 månad', '2 månader', '5 månader', '24 månader'],
    ['ar-us', 'شهر', 'شهران', '5 أشهر', '24 شهرًا'],
    ['ar-eg', 'شهر', 'شهران', '٥ أشهر', '٢٤ شهرًا'],
    ['he-us', '1 חודש', 'חודשיים', '5 חודשים', '24 חודשים'],
    ['ja-us', '1 か月', '2 か月', '5 か月', '24 か月'],
    ['ko-us', '1개월', '2개월', '5개월', '24개월'],
    ['zh-us', '1个月', '2个月', '5个月', '24个月'],
    ['zh-Hant-us', '1 個月', '2 個月', '5 個月', '24 個月'],
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
