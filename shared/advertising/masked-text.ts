import type { Figure } from './figures.ts';
import { excerpt, PARAGRAPH, type PlainText } from './plain-text.ts';

/**
 * A text in small letters whose every figure is a capital and its index: "a M0 purchase over N1 months at P2 apr".
 *
 * M is money, P a percentage and N a bare number, so that what an advertisement says can be told from how it writes numbers.
 */
export interface MaskedText {
  text: string;
  figures: readonly Figure[];
  /** Where each sentence ends, the last at the end of the text. */
  sentenceEnds: number[];
  /** What stood there. */
  excerpt(start: number, end: number): string;
  /** The same with a few words around it. */
  around(start: number, end: number): string;
  /** Where a figure stands. */
  startOf(index: number): number;
  endOf(index: number): number;
}

const CAPITAL = { money: 'M', percent: 'P', number: 'N' };

/** A figure of any kind, by its index. */
export const MASK = /[MPN](\d+)/g;

export function maskedText(plain: PlainText, figures: readonly Figure[]): MaskedText {
  const parts: string[] = [];
  const places: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const figureEnds = new Map<number, number>();
  const kept: Figure[] = [];
  let [at, length] = [0, 0];
  const put = (part: string, from: number, isFigure: boolean) => {
    parts.push(part);
    for (let index = 0; index < part.length; index++) places.push(isFigure ? from : from + index);
    length += part.length;
  };

  for (const figure of figures) {
    if (figure.start < at) continue;
    put(small(plain.text.slice(at, figure.start)), at, false);
    starts.push(length);
    put(`${CAPITAL[figure.kind]}${kept.length}`, figure.start, true);
    ends.push(length);
    figureEnds.set(length, figure.end);
    kept.push(figure);
    at = figure.end;
  }
  put(small(plain.text.slice(at)), at, false);
  places.push(plain.text.length);

  const text = parts.join('');
  const quote = (start: number, end: number) => excerpt(plain, places[start]!, figureEnds.get(end) ?? places[end]!);
  return {
    text,
    figures: kept,
    sentenceEnds: sentenceEnds(text, (index) => plain.text[places[index]!] ?? ''),
    excerpt: quote,
    around: (start, end) => quote(wordBefore(text, start), wordAfter(text, end)),
    startOf: (index) => starts[index]!,
    endOf: (index) => ends[index]!,
  };
}

/** Where a word begins, some 20 characters before; the other way round where one ends. */
function wordBefore(text: string, start: number): number {
  const space = text.indexOf(' ', Math.max(0, start - 24));
  return start <= 24 ? 0 : Math.min(start, space < 0 ? start : space + 1);
}

function wordAfter(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end + 24);
  return end + 24 >= text.length ? text.length : Math.max(end, space);
}

/** Small letters, each in the place of its capital. Digits that are no figure go, so that every digit is an index. */
function small(text: string): string {
  const lower = text.toLowerCase();
  const letters = lower.length === text.length ? lower : text.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
  return letters.replace(/\d/g, '#');
}

const ABBREVIATED = /(?:^|[ (])(?:e\.g|i\.e|p\. ?ej|ej|approx|aprox|no|vs|mr|mrs|u\.s)$/;

/** A sentence ends where a stop is followed by a capital or a figure, save behind an abbreviation. */
function sentenceEnds(text: string, written: (index: number) => string): number[] {
  const ends: number[] = [];
  for (const { 0: stop, index } of text.matchAll(new RegExp(String.raw`(?<![.!?])[.!?]+["')\]]* |${PARAGRAPH}`, 'g'))) {
    const end = index + stop.length;
    const before = text.slice(Math.max(0, index - 8), index);
    // "$72.21/mo. 12 payments" may go on, "$72.21/mo. Ask us" does not.
    const isMonth = /(?:[/ ]|^)(?:mo|mos|mes)$/.test(before);
    const isCapital = /[A-Z]/.test(written(end)) && !/[MPN]/.test(text[end] ?? '');
    const isSentence = isCapital || (!isMonth && !/[a-z]/.test(text[end] ?? ''));
    if (stop === PARAGRAPH || (isSentence && !ABBREVIATED.test(before))) ends.push(end);
  }
  ends.push(text.length);
  return ends;
}
