import { describe, expect, it } from 'vitest';
import { excerpt, plainText } from '../../../shared/advertising/plain-text.ts';

describe('a text as it is compared', () => {
  it.each([
    ['has one kind of space', 'no\u00a0interest\u2009if\tpaid\n today', 'no interest if paid today'],
    ['shows an empty line', 'one\n \ntwo\r\n\r\nthree', 'one ¶ two ¶ three'],
    ['has one kind of hyphen', 'same\u2011as\u2013cash\u2014\u22121', 'same-as-cash--1'],
    ['has straight quotes', '\u201cyou\u2019ll\u201d', '"you\'ll"'],
    ['has an x for a multiplication sign', '12 \u00d7 5 \u2715 6', '12 x 5 x 6'],
    ['has no accents', 'Crédito, años, ÚLTIMO', 'Credito, anos, ULTIMO'],
    ['has nothing invisible', 'guar\u00adan\u200bteed\ufeff \u202aAPR', 'guaranteed APR'],
    ['has plain digits and letters for wide ones', '１５％ ＡＰＲ ﬁxed', '15% APR fixed'],
    ['spells a fraction out', '6½% and 1⁄2', '61/2% and 1/2'],
    ['keeps a number together that is grouped by spaces', '1\u00a0299,00 and 12\u202f345\u202f678', "1'299,00 and 12'345'678"],
    ['keeps numbers apart that only stand side by side', '500\u00a012 and 1234\u00a05678', '500 12 and 1234 5678'],
    ['keeps capitals and what it does not know', 'APR \ud800 \u{1f600} ß', 'APR \ud800 \u{1f600} ß'],
    ['may be empty', '', ''],
  ])('%s', (_, written, text) => {
    expect(plainText(written).text).toBe(text);
  });

  it('knows where each of its characters stood', () => {
    const plain = plainText('An ex\u00adample: \ufb01xed \u{1f600}\n\n15\u00a0%');
    const at = (words: string) => plain.text.indexOf(words);

    expect(plain.text).toBe('An example: fixed \u{1f600} ¶ 15 %');
    expect(excerpt(plain, at('example'), at(':'))).toBe('ex\u00adample');
    expect(excerpt(plain, at('fixed'), at('\u{1f600}'))).toBe('\ufb01xed');
    expect(excerpt(plain, at('15'), plain.text.length)).toBe('15 %');
    expect(plain.origins).toHaveLength(plain.text.length + 1);
  });

  it('is quoted on one line, and not at length', () => {
    const plain = plainText(`a\n b ${'c'.repeat(300)}`);

    expect(excerpt(plain, 0, plain.text.length)).toMatch(/^a b c{195}…$/);
  });
});
