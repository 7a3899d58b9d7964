import { describe, expect, it } from 'vitest';
import { sentences, texts } from '../../../../server/checkout/texts/index.ts';
import { languages as disclosures } from '../../../../shared/disclosure/languages.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
import { sentencesOf } from '../sentences.ts';

const inEnglish = sentencesOf(sentences.en);
const placesIn = (sentence: string) => new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));

/** Sentences that are the same in English and Spanish. */
const SAME = ['order.subtotal', 'order.total', 'plans.badge', 'terms.fee'];

describe.each(LANGUAGES.filter((language) => language !== 'en'))('Every sentence of the checkout in %s', (language) => {
  const translated = new Map(sentencesOf(sentences[language]));

  it('exists', () => {
    expect([...translated.keys()].toSorted()).toEqual(inEnglish.map(([name]) => name).toSorted());
    expect(inEnglish.length).toBeGreaterThan(100);
  });

  it.each(inEnglish)('%s is translated, with the same placeholders', (name, sentence) => {
    for (const words of [sentence, translated.get(name)!]) {
      expect(words).toMatch(/^\S(.*\S)?$/s);
      expect(words.replace(/\{\w+\}/g, '')).not.toMatch(/[{}<>]/);
    }
    expect(placesIn(translated.get(name)!)).toEqual(placesIn(sentence));
    expect(translated.get(name) === sentence).toBe(SAME.includes(name));
  });

  it('has the placeholders of the disclosures', () => {
    const inTheirs = new Map(sentencesOf(disclosures[language]));
    for (const [name, sentence] of sentencesOf(disclosures.en)) {
      expect([name, placesIn(inTheirs.get(name)!)]).toEqual([name, placesIn(sentence)]);
    }
  });
});

describe('The example of a disclosure', () => {
  it.each(LANGUAGES)('has a placeholder for each of its required figures in %s', (language) => {
    const { example, down, rates, feeLent, feeToday, firstDue } = disclosures[language];
    expect(placesIn(example)).toEqual(new Set(['purchase', 'down', 'months', 'apr', 'payments', 'total']));
    expect(placesIn(down)).toEqual(new Set(['downPayment']));
    expect(placesIn(rates)).toEqual(new Set(['minApr', 'maxApr']));
    expect(placesIn(firstDue)).toEqual(new Set(['after']));
    for (const fee of [feeLent, feeToday]) expect(placesIn(fee)).toEqual(new Set(['kind', 'fee']));
  });
});

describe('Values are formatted for their language', () => {
  it.each([
    ['a date', texts.en.date('2026-11-21'), 'November 21, 2026', texts.es.date('2026-11-21'), '21 de noviembre de 2026'],
    ['an amount', texts.en.money(129_900, 'USD'), '$1,299.00', texts.es.money(129_900, 'USD'), '$1,299.00'],
    ['a rate', texts.en.apr(0.0999), '9.99%', texts.es.apr(0.0999), '9.99%'],
    ['a list', texts.en.list(['a', 'b']), 'a and b', texts.es.list(['a', 'b']), 'a y b'],
    ['a list before an i', texts.en.list(['a', 'i']), 'a and i', texts.es.list(['a', 'i']), 'a e i'],
    ['whole percent', texts.en.percent(500), '5%', texts.es.percent(500), '5%'],
    ['half a percent', texts.en.percent(550), '5.5%', texts.es.percent(550), '5.5%'],
    ['a hundredth of a percent', texts.en.percent(1), '0.01%', texts.es.percent(1), '0.01%'],
    ['percent with decimals', texts.en.percent(1_800, 2), '18.00%', texts.es.percent(1_800, 2), '18.00%'],
  ])('%s', (_what, english_, expectedInEnglish, spanish_, expectedInSpanish) => {
    expect([english_, spanish_]).toEqual([expectedInEnglish, expectedInSpanish]);
  });
});
