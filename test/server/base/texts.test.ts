import { describe, expect, it } from 'vitest';
import { texts } from '../../../server/base/texts.ts';
import { disclosureTexts as disclosures, LANGUAGES, type Language, languages } from '../../../shared/languages/index.ts';
import { sentencesOf } from '../checkout/sentences.ts';

/** The sentences of pages and e-mails. Those of disclosures may begin or end with a space. */
const sentencesIn = (language: Language) => sentencesOf(languages[language].checkout);
const englishSentences = sentencesIn('en');
const placeholdersIn = (sentence: string) => new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));

/** Sentences that are the same in English and Spanish. */
const SAME = ['plans.apr', 'order.subtotal', 'order.total', 'plans.badge', 'terms.fee', 'emails.cart.total'];

describe.each(LANGUAGES.filter((language) => language !== 'en'))('Every sentence of the checkout in %s', (language) => {
  const translated = new Map(sentencesIn(language));

  it('exists', () => {
    expect([...translated.keys()].toSorted()).toEqual(englishSentences.map(([name]) => name).toSorted());
    expect(englishSentences.length).toBeGreaterThan(100);
  });

  it.each(englishSentences)('%s is translated, with the same placeholders', (name, sentence) => {
    for (const text of [sentence, translated.get(name)!]) {
      expect(text).toMatch(/^\S(.*\S)?$/s);
      expect(text.replace(/\{\w+\}/g, '')).not.toMatch(/[{}<>]/);
    }
    expect(placeholdersIn(translated.get(name)!)).toEqual(placeholdersIn(sentence));
    expect(translated.get(name) === sentence).toBe(SAME.includes(name));
  });

  it('has the same placeholders in disclosures', () => {
    const translatedDisclosures = new Map(sentencesOf(disclosures[language]));
    for (const [name, sentence] of sentencesOf(disclosures.en)) {
      expect([name, placeholdersIn(translatedDisclosures.get(name)!)]).toEqual([name, placeholdersIn(sentence)]);
    }
  });
});

describe('The example of a rate disclosure', () => {
  it.each(LANGUAGES)('has a placeholder for each required figure in %s', (language) => {
    const { example, down, rates, feeLent, firstDue } = disclosures[language];
    expect(placeholdersIn(example)).toEqual(new Set(['purchase', 'down', 'months', 'apr', 'payments', 'total']));
    expect(placeholdersIn(down)).toEqual(new Set(['downPayment']));
    expect(placeholdersIn(rates)).toEqual(new Set(['minApr', 'maxApr']));
    expect(placeholdersIn(firstDue)).toEqual(new Set(['after']));
    expect(placeholdersIn(feeLent)).toEqual(new Set(['kind', 'fee']));
  });
});

describe('The texts of each language format', () => {
  it.each([
    ['a date', texts.en.date('2026-11-21'), 'November 21, 2026', texts.es.date('2026-11-21'), '21 de noviembre de 2026'],
    ['an amount', texts.en.money(129_900, 'USD'), '$1,299.00', texts.es.money(129_900, 'USD'), '$1,299.00'],
    ['a rate', texts.en.apr(0.0999), '9.99%', texts.es.apr(0.0999), '9.99%'],
    ['a list', texts.en.list(['a', 'b']), 'a and b', texts.es.list(['a', 'b']), 'a y b'],
    ['a list whose last word starts with i', texts.en.list(['a', 'i']), 'a and i', texts.es.list(['a', 'i']), 'a e i'],
    ['whole percent', texts.en.percent(500), '5%', texts.es.percent(500), '5%'],
    ['half a percent', texts.en.percent(550), '5.5%', texts.es.percent(550), '5.5%'],
    ['a hundredth of a percent', texts.en.percent(1), '0.01%', texts.es.percent(1), '0.01%'],
    ['percent with decimals', texts.en.percent(1_800, 2), '18.00%', texts.es.percent(1_800, 2), '18.00%'],
  ])('%s', (_title, english, expectedEnglish, spanish, expectedSpanish) => {
    expect([english, spanish]).toEqual([expectedEnglish, expectedSpanish]);
  });
});
