import { assert } from '@open-wc/testing';
import { minorUnitDigits } from '../../shared/money.ts';
import { parsePrice } from '../../widget/price.ts';

function read(text: string, locale: string, code: string): number {
  const price = parsePrice(text, locale, { code, digits: minorUnitDigits(code) });
  return typeof price === 'number' ? price : NaN;
}

/** Prices as pages show them, the language of the page, and the expected amount in minor units. NaN is ambiguous or not a price. */
const prices: [text: string, locale: string, code: string, minorUnits: number][] = [
  // In the format of the page's locale.
  ['1299', 'en', 'USD', 129_900],
  ['$1299', 'en', 'USD', 129_900],
  ['$1,299', 'en', 'USD', 129_900],
  ['$1,299.00', 'en', 'USD', 129_900],
  ['$1,299.9', 'en', 'USD', 129_990],
  ['$0.99', 'en', 'USD', 99],
  ['$1,234,567.89', 'en', 'USD', 123_456_789],
  ['USD 1,299.00', 'en', 'USD', 129_900],
  ['USD1299', 'en', 'USD', 129_900],
  ['1,299.00USD', 'en', 'USD', 129_900],
  ['US$ 1,299.-', 'en', 'USD', 129_900],
  ['1.299 €', 'de', 'EUR', 129_900],
  ['1.299,– €', 'de', 'EUR', 129_900],
  ['1.299,00\u00a0€', 'de', 'EUR', 129_900],
  ['1.299.000', 'de', 'EUR', 129_900_000],
  ['EUR 12,99', 'de-AT', 'EUR', 1_299],
  ['1\u202f299,00\u00a0€', 'fr', 'EUR', 129_900],
  ['1\u2009299,00 €', 'fr', 'EUR', 129_900],
  ['1 299,00', 'fr', 'EUR', 129_900],
  ['1 299,- kr', 'nb', 'NOK', 129_900],
  ['1 299 kr', 'sv', 'SEK', 129_900],
  ["CHF 1'299.00", 'de-CH', 'CHF', 129_900],
  ['1’299.–', 'de-CH', 'CHF', 129_900],
  ['R$ 1.299,00', 'pt-BR', 'BRL', 129_900],
  ['¥1,299', 'ja', 'JPY', 1_299],
  ['KWD 1.299', 'en', 'KWD', 1_299],
  ['1,299.500 KWD', 'en', 'KWD', 1_299_500],

  // In the format of another locale, if it is unambiguous.
  ['1.299,00 €', 'en', 'EUR', 129_900],
  ['12,99 €', 'en', 'EUR', 1_299],
  ['1 299,00', 'en', 'USD', 129_900],
  ['1 299', 'en', 'USD', 129_900],
  ["1'299.00", 'en', 'USD', 129_900],
  ['$1,299.00', 'de', 'USD', 129_900],
  ['$12.99', 'de', 'USD', 1_299],
  ['$1,234,567', 'de', 'USD', 123_456_700],

  // Two formats give different prices, and the language does not select one, or selects an invalid one.
  ['$1.299', 'en', 'USD', NaN],
  ['1,299 €', 'de', 'EUR', NaN],
  ['1.500', 'en', 'USD', NaN],
  ['KWD 1,299', 'en', 'KWD', NaN],
  ['1.299 KWD', 'de', 'KWD', NaN],
  ['1.299 KWD', 'fr', 'KWD', NaN],
  ["1'299'00", 'de-CH', 'CHF', NaN],

  // With other text.
  ['From $12', 'en', 'USD', 1_200],
  ['  \n\t $12.00 \n ', 'en', 'USD', 1_200],
  ['Price (incl. tax): $12', 'en', 'USD', 1_200],
  ['Pre-order $12', 'en', 'USD', 1_200],
  ['$12.', 'en', 'USD', 1_200],
  ['$1,299.00*', 'en', 'USD', 129_900],
  ['₹1,299/-', 'en', 'INR', 129_900],
  ['1299kr', 'da', 'DKK', 129_900],
  ['12eur', 'es', 'EUR', 1_200],
  ['NEW! SALE $12', 'en', 'USD', 1_200],
  ['$12.00 | $12.00', 'en', 'USD', 1_200],
  ['Sale price $1,299.00 Regular price $1,299.00', 'en', 'USD', 129_900],

  // No amount to finance, without an error.
  ['', 'en', 'USD', 0],
  ['Free', 'en', 'USD', 0],
  ['Sold out', 'en', 'USD', 0],
  ['Infinity', 'en', 'USD', 0],
  ['NaN', 'en', 'USD', 0],
  ['0', 'en', 'USD', 0],
  ['$0.00', 'en', 'USD', 0],

  // Several prices, or not a price.
  ['Sale price $1,299.00 Regular price $1,499.00', 'en', 'USD', NaN],
  ['$10 – $20', 'en', 'USD', NaN],
  ['$10-$20', 'en', 'USD', NaN],
  ['2 for $12', 'en', 'USD', NaN],
  ['12 × $108', 'en', 'USD', NaN],
  ['12€99', 'fr', 'EUR', NaN],
  ['-$12', 'en', 'USD', NaN],
  ['$-12', 'en', 'USD', NaN],
  ['−12,00 kr', 'sv', 'SEK', NaN],
  ['-USD 12', 'en', 'USD', NaN],
  ["EUR-1'299.00", 'de-CH', 'EUR', NaN],
  ['($12.00)', 'en', 'USD', NaN],
  ['20% off', 'en', 'USD', NaN],
  ['$12/month', 'en', 'USD', NaN],
  ['12,99 € / 100 g', 'de', 'EUR', NaN],
  ['$1.3M', 'en', 'USD', NaN],
  ['$15k', 'en', 'USD', NaN],
  ['12万円', 'ja', 'JPY', NaN],
  ['1,299円', 'ja', 'JPY', 1_299],
  ['１２９９', 'ja', 'JPY', NaN],
  ['٣٬٤١٤٫٠٠', 'ar-EG', 'EGP', NaN],
  ['1٫299', 'en', 'USD', NaN],
  ['₹1,29,900', 'en-IN', 'INR', NaN],
  ['1,3 Mio. €', 'de', 'EUR', NaN],
  ['$1.3 million', 'en', 'USD', NaN],
  ['R$ 12 mil', 'pt-BR', 'BRL', NaN],
  ['15 тыс. ₽', 'ru', 'RUB', NaN],
  ['1e5', 'en', 'USD', NaN],
  ['1e1', 'en', 'USD', NaN],
  ['1e+21', 'en', 'USD', NaN],
  ['0x10', 'en', 'USD', NaN],
  ['$.99', 'en', 'USD', NaN],
  ['$12⁹⁹', 'en', 'USD', NaN],
  ['$12½', 'en', 'USD', NaN],
  ['12.999', 'en', 'USD', NaN],
  ['$1,299.005', 'en', 'USD', NaN],
  ['12.9999', 'en', 'USD', NaN],
  ['¥12.99', 'ja', 'JPY', NaN],
  ['12.99.00', 'en', 'USD', NaN],
  ['1,29,90', 'en', 'USD', NaN],
  ['1 29 900', 'en', 'USD', NaN],
  ['1.29.900', 'de', 'EUR', NaN],
  ['1,299,00', 'en', 'USD', NaN],
  ['1.299.00', 'de', 'EUR', NaN],
  ['1,2999', 'de', 'EUR', NaN],
  ['0,129', 'en', 'USD', NaN],
  ['1.299,00.00', 'de', 'EUR', NaN],
  ['12 34', 'fr', 'EUR', NaN],
  ['2\n299', 'en', 'USD', NaN],
  ['21.11.2026', 'de', 'EUR', NaN],
  ['2026-11-21', 'en', 'USD', NaN],
  ['192.168.0.1', 'en', 'USD', NaN],
  ['999999999.99', 'en', 'USD', 99_999_999_999],
  ['1000000000.00', 'en', 'USD', NaN],
  ['9007199254740992', 'en', 'USD', NaN],
  ['9'.repeat(400), 'en', 'USD', NaN],

  // In a currency that differs from the program's, except where noted by a number.
  ['EUR 1,299.00', 'en', 'USD', NaN],
  ['1,299.00 EUR', 'en', 'USD', NaN],
  ['1,299.00EUR', 'en', 'USD', NaN],
  ['1.299,00 €', 'de', 'USD', NaN],
  ['$1,299.00 CAD', 'en', 'USD', NaN],
  ['$1,299.00 USD', 'en', 'USD', 129_900],
  ['£12', 'en', 'USD', NaN],
  ['$12', 'en', 'EUR', NaN],
  ['$12', 'en', 'CAD', 1_200],

  // A letter or a symbol that touches the number, or is next to it, is a mark of the program's currency.
  ['A$1,299.00', 'en', 'USD', NaN],
  ['AU$1,299.00', 'en', 'USD', NaN],
  ['C$ 1,299.00', 'en', 'USD', NaN],
  ['CA$12', 'en-CA', 'USD', NaN],
  ['NT$12', 'en', 'USD', NaN],
  ['R$ 1.299,00', 'en', 'USD', NaN],
  ['R$1.299,00', 'pt-BR', 'USD', NaN],
  ['$b 12', 'es', 'USD', NaN],
  ['CAD$12', 'en', 'USD', NaN],
  ['USDC 12', 'en', 'USD', NaN],
  ['kr.123.45', 'en', 'USD', NaN],
  ['4.200,00 kr.', 'en', 'USD', NaN],
  ['4.200,00 kr.', 'da', 'USD', NaN],
  ['1 299,- kr', 'en', 'USD', NaN],
  ['12zł', 'en', 'USD', NaN],
  ['S/ 12', 'en', 'USD', NaN],
  ['S/12', 'en', 'USD', NaN],
  ['Rs. 1299', 'en', 'USD', NaN],
  ['1299 pesos', 'en', 'USD', NaN],
  ['12 Canadian dollars', 'en', 'USD', NaN],
  ['1,299円', 'ja', 'USD', NaN],
  ['12\u200bkr', 'en', 'USD', NaN],
  ['3 for $3', 'en', 'USD', NaN],
  ['US$1,299.00', 'en', 'USD', 129_900],
  ['US $1,299.00', 'en', 'USD', 129_900],
  ['$US 1,299.00', 'en', 'USD', 129_900],
  ['1 299,00 $ US', 'fr-CA', 'USD', 129_900],
  ['USD$1,299.00', 'en', 'USD', 129_900],
  ['$1,299.00USD', 'en', 'USD', 129_900],
  ['usd 1,299.00', 'en', 'USD', 129_900],
  ['1,299.00 US dollars', 'en', 'USD', 129_900],
  ['1,299.00 dólares estadounidenses', 'es-MX', 'USD', 129_900],
  ['kr.123,45', 'da', 'DKK', 12_345],
  ['A$1,299.00', 'en', 'AUD', 129_900],
  ['$1,299.00+', 'en', 'USD', 129_900],
  ['$1,299.-', 'en', 'USD', 129_900],
  ['1299.-', 'en', 'USD', 129_900],
  ['$1,299.00†', 'en', 'USD', 129_900],

  // A word next to a price with its currency, which may be another currency.
  ['$1,299.00 AU', 'en', 'USD', NaN],
  ['$1,299.00\n  AU', 'en', 'USD', NaN],
  ['$1,299.00 (AU)', 'en', 'USD', NaN],
  ['AU $1,299.00', 'en', 'USD', NaN],
  ['NZ $12', 'en', 'USD', NaN],
  ['$12 A', 'en', 'USD', NaN],
  ['$12 mxn', 'en', 'USD', NaN],
  ['$12 pesos', 'es', 'USD', NaN],
  ['$12 dólares canadienses', 'es', 'USD', NaN],
  ['$12 Canadian', 'en', 'USD', NaN],
  ['$12 CDN', 'en', 'USD', NaN],
  ['$24.99 Can.', 'en', 'USD', NaN],
  ['$12 Mex.', 'en', 'USD', NaN],
  ['$12 yen', 'en', 'USD', NaN],
  ['Antes $12 Ahora $12', 'es', 'USD', 1_200],
  ['$12 kr', 'en', 'USD', NaN],
  ['Precio (pesos): 12', 'es', 'USD', NaN],
  ['Total: 1299', 'en', 'USD', NaN],
  ['$1,299.00 US', 'en', 'USD', 129_900],
  ['NEW $1,299.00', 'en', 'USD', 129_900],
  ['Nuevo $1,299.00', 'es', 'USD', 129_900],
  ['Special: $12 plus tax', 'en', 'USD', 1_200],
  ['$12 each', 'en', 'USD', 1_200],
  ['New $12', 'en', 'USD', 1_200],
  ['Yours for $12', 'en', 'USD', 1_200],
  ['$12 in stock', 'en', 'USD', 1_200],
  ['$12 sin IVA', 'es', 'USD', 1_200],
  ['Precio especial: $12', 'es', 'USD', 1_200],
  ['$12 con envío gratis', 'es', 'USD', 1_200],

  // A rate.
  ['$129.99  / month', 'en', 'USD', NaN],
  ['$129.99\n\t/mo', 'en', 'USD', NaN],
  ['$129.99 USD / mo.', 'en', 'USD', NaN],
  ['$129.99 mo.', 'en', 'USD', NaN],
  ['$129.99 per month', 'en', 'USD', NaN],
  ['$129.99 a month', 'en', 'USD', NaN],
  ['$129.99 each week', 'en', 'USD', NaN],
  ['$129.99 monthly', 'en', 'USD', NaN],
  ['Monthly: $129.99', 'en', 'USD', NaN],
  ['$129.99 quarterly', 'en', 'USD', NaN],
  ['$129.99 nightly', 'en', 'USD', NaN],
  ['$30 p.m.', 'en', 'USD', NaN],
  ['$129.99 al mes', 'es', 'USD', NaN],
  ['$129.99 por mes', 'es', 'USD', NaN],
  ['$129.99 x mes', 'es', 'USD', NaN],
  ['$129.99\nmensuales', 'es', 'USD', NaN],
  ['$129.99 a la semana', 'es', 'USD', NaN],
  ['$129.99 cada año', 'es', 'USD', NaN],
  ['$129.99 anuales', 'es', 'USD', NaN],
  ['$129.99 quincenales', 'es', 'USD', NaN],
  ['$129.99 la noche', 'es', 'USD', NaN],
  ['$12 per person', 'en', 'USD', NaN],
  ['$4.99/lb', 'en', 'USD', NaN],
  ['$4.99 lb', 'en', 'USD', NaN],
  ['$4.99 per kg', 'en', 'USD', NaN],
  ['$4.99 an ounce', 'en', 'USD', NaN],
  ['$4.99 sq. ft.', 'en', 'USD', NaN],
  ['$4.99 / m²', 'en', 'USD', NaN],
  ['$4.99 el kilo', 'es', 'USD', NaN],
  ['$4.99 por libra', 'es', 'USD', NaN],
  ['$12 pound', 'en', 'USD', NaN],
  ['$12 oz', 'en', 'USD', NaN],
  ['$12 ounce', 'en', 'USD', NaN],
  ['$3.59 gallon', 'en', 'USD', NaN],
  ['$3.59 gal', 'en', 'USD', NaN],
  ['$4 liter', 'en', 'USD', NaN],
  ['$8 litro', 'es', 'USD', NaN],
  ['$12.99 yd', 'en', 'USD', NaN],
  ['Gala dress $12', 'en', 'USD', 1_200],
  ['$12 dozen', 'en', 'USD', NaN],
  ['$12 kilo', 'en', 'USD', NaN],
  ['$12 docena', 'es', 'USD', NaN],
  ['$12 for the first month', 'en', 'USD', NaN],
  ['First month $12', 'en', 'USD', NaN],
  ['$12 primer mes', 'es', 'USD', NaN],
  ['$10 semester', 'en', 'USD', NaN],
  ['$10 trimestre', 'es', 'USD', NaN],
  ['$50 hora', 'es', 'USD', NaN],
  ['$50 día', 'es', 'USD', NaN],
  ['$50 noche', 'es', 'USD', NaN],
  ['$9 yard', 'en', 'USD', NaN],
  ['$9 metro', 'es', 'USD', NaN],
  ['$120 avg/night', 'en', 'USD', NaN],
  ['$120 desde/noche', 'es', 'USD', NaN],
  ['$12.99 By the Yard', 'en', 'USD', NaN],
  ['Sold by the yard: $8.99', 'en', 'USD', NaN],
  ['$8.99 by the pound', 'en', 'USD', NaN],
  ['$3.49 avg. price/lb', 'en', 'USD', NaN],
  ['$3.49|avg. price / lb', 'en', 'USD', NaN],
  ['Precio por yarda $8.99', 'es', 'USD', NaN],
  ['Precio por noche: US$120', 'es', 'USD', NaN],
  ['Por día $45', 'es', 'USD', NaN],
  ['Por persona: US$ 899', 'es', 'USD', NaN],
  ['US$ 60.00 diarios', 'es', 'USD', NaN],
  ['Tarifa diaria: $60', 'es', 'USD', NaN],
  ['Precio al mes: $29', 'es', 'USD', NaN],
  ['$8.50 lin. ft.', 'en', 'USD', NaN],
  ['$8.50|/ lin ft', 'en', 'USD', NaN],
  ['$8.50 linear foot', 'en', 'USD', NaN],
  ['Oferta del día $12', 'es', 'USD', 1_200],
  ['Por tiempo limitado $12', 'es', 'USD', 1_200],
  ['Por US$ 1.299,00', 'es', 'USD', 129_900],
  ['Animal mestizo $12', 'es', 'USD', 1_200],
  ['$12 Linen shirt', 'en', 'USD', 1_200],
  ['Square plate $12', 'en', 'USD', 1_200],
  ['Sold by the author: $12', 'en', 'USD', 1_200],
  ['$12 domestic shipping', 'en', 'USD', 1_200],
  ['$12 Entrega al día siguiente', 'es', 'USD', 1_200],
  ['Precio sin intermediarios: $12', 'es', 'USD', 1_200],
  ['PRECIO CON CUPÓN $12', 'es', 'USD', 1_200],
  ['Semester planner $12', 'en', 'USD', 1_200],
  ['Backpack day/school $12', 'en', 'USD', 1_200],
  ['NEW w/tags $12', 'en', 'USD', 1_200],
  ['20 % off', 'en', 'USD', NaN],
  ['Deal of the day $12', 'en', 'USD', 1_200],
  ['Formerly $12 Regularly $12 Early bird $12', 'en', 'USD', 1_200],
  ['$12 Same day delivery', 'en', 'USD', 1_200],
  ['$15 k', 'en', 'USD', NaN],

  // The noise of floating-point numbers.
  ['59.97000000000001', 'en', 'USD', 5_997],
  ['434.99999999999994', 'en', 'USD', 43_500],
  ['59.970001', 'en', 'USD', NaN],
];

describe('A price', () => {
  for (const [text, locale, code, expected] of prices) {
    it(`${JSON.stringify(text)} on a page in ${locale}, in ${code}, is ${expected}`, () => {
      assert.deepEqual(read(text, locale, code), expected);
    });
  }

  /** Languages with Latin letters, and with other letters, digits or groups. */
  const latin = (
    'cs da de de-AT de-CH en en-AU en-GB en-ZA es es-MX et fi fr fr-CA hr hu id it it-CH lt lv ms nb nl pl pt pt-PT ro sk sl sv sw ' +
    'tr uz vi'
  ).split(' ');
  const others = 'ar ar-EG bg bn el en-IN fa gu he hi ja kn ko ml mr my ne pa ru sr ta te th uk ur zh zh-TW'.split(' ');
  const codes = ['USD', 'EUR', 'GBP', 'CAD', 'JPY', 'KWD', 'INR', 'CHF', 'SEK', 'BRL'];
  const amounts = [
    0, 1, 9, 10, 99, 100, 101, 999, 1_000, 1_001, 1_299, 12_345, 99_999, 129_900, 1_234_567, 12_990_000, 99_999_999_999,
  ];

  for (const locale of [...latin, ...others]) {
    it(`as formatted by Intl in ${locale} is ${latin.includes(locale) ? '' : 'rejected or '}parsed, and its negative rejected`, () => {
      for (const code of codes) {
        const digits = minorUnitDigits(code);
        for (const currencyDisplay of ['symbol', 'narrowSymbol', 'code', 'name'] as const) {
          const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay });
          for (const amount of amounts) {
            const text = format.format(`${amount}e-${digits}` as `${number}`);
            const minus = format.format(`-${amount + 1}e-${digits}` as `${number}`);
            const context = `${code} ${JSON.stringify(text)} ${JSON.stringify(minus)}`;
            const parsed = read(text, locale, code);
            assert.isTrue(parsed === amount || (!latin.includes(locale) && Number.isNaN(parsed)), context);
            assert.deepEqual(read(minus, locale, code), NaN, context);
          }
        }
      }
    });
  }

  describe('in dollars is parsed correctly or rejected if the program is in dollars, and in other currencies rejected unless it has only `$`', () => {
    const currencies = (
      'AED ALL AMD ARS AUD BDT BGN BOB BRL CAD CHF CLP CNY COP CRC CZK DKK DOP EGP EUR GBP GTQ HKD HUF IDR ILS INR ISK JMD JPY KES ' +
      'KRW KWD KZT MAD MXN MYR NGN NOK NZD PAB PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TTD TWD UAH USD UYU VND ZAR'
    ).split(' ');
    for (const formatLocale of [...latin, ...others]) {
      it(`in ${currencies.length} currencies as formatted in ${formatLocale}`, () => {
        for (const code of currencies) {
          for (const currencyDisplay of ['symbol', 'narrowSymbol', 'code', 'name'] as const) {
            const format = new Intl.NumberFormat(formatLocale, { style: 'currency', currency: code, currencyDisplay });
            const text = format.format(1299.5);
            const marks = text.replace(/[^\p{L}\p{Sc}]/gu, '');
            for (const locale of ['en', 'es', formatLocale]) {
              const parsed = read(text, locale, 'USD');
              const isExpected = Number.isNaN(parsed) || (code === 'USD' ? parsed === 129_950 : marks === '$');
              assert.isTrue(isExpected, `${code} ${JSON.stringify(text)} in ${locale}: ${parsed}`);
            }
          }
        }
      });
    }
  });

  it('in the format of one language is parsed correctly or rejected in another', () => {
    for (const formatLocale of [...latin, ...others]) {
      for (const code of ['USD', 'EUR', 'JPY']) {
        const digits = minorUnitDigits(code);
        const format = new Intl.NumberFormat(formatLocale, { style: 'currency', currency: code });
        for (const amount of [1, 1_000, 1_299, 129_900, 1_234_567, 12_990_000]) {
          const text = format.format(`${amount}e-${digits}` as `${number}`);
          for (const locale of ['en', 'es', 'de', 'fr', 'de-CH', 'ar-EG', 'hi']) {
            const parsed = read(text, locale, code);
            assert.isTrue(parsed === amount || Number.isNaN(parsed), `${code} ${JSON.stringify(text)} in ${locale}: ${parsed}`);
          }
        }
      }
    }
  });
});
