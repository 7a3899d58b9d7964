import { describe, expect, it } from 'vitest';
import { type Lint, lintAdvertisement } from '../../../shared/advertising/lint.ts';
import { samples, type SeededRandom } from '../../support/random.ts';

const ads = [
  'A $800 purchase could be split into 12 monthly payments of $72.21 at 15% APR',
  'Compra de $740: 23 pagos de $34.14 y un último pago de $34.25, con 10% de enganche y una comisión de $5, APR 9.99%',
  '$500, about 12 payments of $43.97 at 10-30% APR; a 5% fee, total of payments $527.64, from $50 to $100, no interest if paid',
];
const scraps = [
  ' .,%$€¥/-–x×+()[]*"\'\n\t\u00a0\u200b\u00ad¶½№ßİ１٣07'.split(''),
  [
    '\n\n',
    '\ud800',
    '\u{1f600}',
    '99999999999999999999',
    '1.234.567',
    '-1',
    'M0',
    'P1',
    'N2',
    'M99999',
    '$1,000',
    '15%',
    ' APR ',
  ],
  [
    ' to ',
    ' or ',
    ' about ',
    ' of ',
    ' payments ',
    ' months',
    'first payment of ',
    'last ',
    'total ',
    'down ',
    'fee ',
    ' meses ',
  ],
  [' pagos de ', 'no interest ', 'guaranteed ', 'approval ', 'first payment is due 0 days after '],
].flat();

describe('whatever is read', () => {
  it('has an answer, which says what it says', () => {
    const texts = samples(1_500, 91, madeUpText);

    expect(texts.filter((text) => !isWellSaid(lintAdvertisement(text, { currency: currencyFor(text) })))).toEqual([]);
  });

  it('is answered the same again', () => {
    for (const text of ads) expect(lintAdvertisement(text)).toEqual(lintAdvertisement(text));
  });

  const repeated = [
    ['a-', '.', '1,', '1-', '" ', '(', ' ', '\n', '\u200b', '\u{1f600}', '12 or ', 'one '],
    ['total ', 'payments of ', '12 payments ', 'guaranteed ', 'approval ', 'no interest ', 'first a payment '],
    ['$5 fee ', '$5 off ', 'fee of $5 ', '$5 today. ', '$500, 12 payments of $43.97 at 10% APR. '],
  ];
  it.each(repeated.flat())('100 kB of %j is no trouble', (text) => {
    const long = text.repeat(100_000 / text.length);
    const before = process.cpuUsage();

    lintAdvertisement(`${long}${ads[0]}`);

    const { user } = process.cpuUsage(before);
    expect(user / 1_000_000, 'seconds').toBeLessThan(3);
  });
});

describe('the language', () => {
  it('is told from the words, and decides how numbers are written', () => {
    const spanish = 'Una compra de $1.299 a 12 meses: 12 pagos de $117,25 con 15% APR';
    const english = 'A $1.299 purchase over 12 months: 12 payments of $117,25 at 15% APR';

    expect(lintAdvertisement(spanish).findings).toEqual([]);
    expect(lintAdvertisement(english).findings.map(({ rule }) => rule)).toContain('unread-figure');
    expect(lintAdvertisement(english, { language: 'es' }).findings).toEqual([]);
    expect(lintAdvertisement(spanish, { language: 'en' }).findings.map(({ rule }) => rule)).toContain('unread-figure');
  });
});

function isWellSaid({ examples, findings }: Lint): boolean {
  return (
    findings.every(({ message, excerpt = '' }) => !/NaN|undefined|Infinity|\[object/.test(message) && excerpt.length <= 200) &&
    examples.every(
      ({ payments, follows }) =>
        payments.every(({ count, cents }) => count > 0 && cents >= 0) && Object.values(follows ?? {}).every(Number.isFinite),
    )
  );
}

/** An advertisement that went wrong, or scraps of some. */
function madeUpText(random: SeededRandom): string {
  let text = random.fraction() < 0.7 ? ads[random.integer(0, ads.length - 1)]! : '';
  for (let change = random.integer(1, 30); change > 0; change--) {
    const at = random.integer(0, text.length);
    const scrap = scraps[random.integer(0, scraps.length - 1)]!;
    text = text.slice(0, at) + scrap + text.slice(at + (random.fraction() < 0.3 ? random.integer(0, 8) : 0));
  }
  return text;
}

function currencyFor(text: string): string {
  return ['USD', 'JPY', 'KWD'][text.length % 3]!;
}
