import { describe, expect, it } from 'vitest';
import { english } from '../../../../server/checkout/texts/en.ts';
import { spanish } from '../../../../server/checkout/texts/es.ts';
import { texts } from '../../../../server/checkout/texts/index.ts';
import { sentencesOf } from '../../../support/sentences.ts';

const inEnglish = sentencesOf(english);
const inSpanish = new Map(sentencesOf(spanish));
const placesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();

/** Words that are the same in both languages. */
const SAME = ['order.subtotal', 'order.total', 'plans.badge', 'terms.fee'];

describe('Every sentence', () => {
  it('is there in both languages', () => {
    expect([...inSpanish.keys()].toSorted()).toEqual(inEnglish.map(([name]) => name).toSorted());
    expect(inEnglish.length).toBeGreaterThan(100);
  });

  it.each(inEnglish)('%s says something in both, with the same places for values', (name, sentence) => {
    const translated = inSpanish.get(name)!;
    for (const words of [sentence, translated]) expect(words).toMatch(/^\S(.*\S)?$/s);
    expect(new Set(placesIn(translated))).toEqual(new Set(placesIn(sentence)));
    expect(translated === sentence).toBe(SAME.includes(name));
  });

  it.each(inEnglish)('%s has its braces in pairs and no markup', (name, sentence) => {
    for (const words of [sentence, inSpanish.get(name)!]) {
      expect(words.replace(/\{\w+\}/g, '')).not.toMatch(/[{}<>]/);
    }
  });
});

describe('Values are written as the language writes them', () => {
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
