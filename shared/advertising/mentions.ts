import type { Figure } from './figures.ts';
import { MASK, type MaskedText } from './masked-text.ts';
import { type Phrase, phrases, type Role } from './phrases.ts';

/** Something that an advertisement says with figures. */
export interface Mention {
  role: Role | 'apr' | 'unnamed';
  /** Where in the masked text. */
  start: number;
  end: number;
  /** The figures in their places. */
  money?: Figure | undefined;
  count?: Figure | undefined;
  months?: Figure | undefined;
  days?: Figure | undefined;
  percent?: Figure | undefined;
  /** Of a last payment behind others: whether it comes after them or is one of them; left out where no word says so. */
  joined?: 'added' | 'included' | undefined;
  /** How many times a year, of payments. */
  perYear?: number | undefined;
}

/** Every figure that a phrase has taken, by its index. */
export type Claimed = Set<number>;

/**
 * What a text says with figures, in order, save its rates. Each figure belongs to the first phrase that takes it; an amount that
 * none takes is `unnamed`.
 */
export function findMentions(masked: MaskedText): { mentions: Mention[]; claimed: Claimed } {
  const claimed: Claimed = new Set();
  const mentions = phrases.flatMap((phrase) => [...matchesOf(masked, phrase, claimed)]);
  masked.figures.forEach((money, index) => {
    if (money.kind !== 'money' || claimed.has(index)) return;
    mentions.push({ role: 'unnamed', start: masked.startOf(index), end: masked.endOf(index), money });
  });
  return {
    mentions: withLoans(
      masked,
      mentions.sort((a, b) => a.start - b.start),
    ),
    claimed,
  };
}

/** "$1,200 for 12 months" is what is lent where "$101 a month" is paid: a payment so often would come to far more than those. */
function withLoans(masked: MaskedText, mentions: readonly Mention[]): Mention[] {
  let leastCents = Infinity;
  return mentions
    .toReversed()
    .map((mention): Mention => {
      const { role, money, perYear, count, end } = mention;
      if (role !== 'payment' || count) return mention;
      const cents = money?.cents ?? NaN;
      if (perYear === 12 && cents > 0) leastCents = Math.min(leastCents, cents);
      const term = perYear ? null : /^,? (?:for|durante|por|en) N(\d+)[ -]?m/.exec(masked.text.slice(end, end + 24));
      const months = term ? (masked.figures[Number(term[1])]!.value ?? 0) : 0;
      return months > 2 && 1.5 * cents > months * leastCents ? { ...mention, role: 'loan' } : mention;
    })
    .toReversed();
}

function* matchesOf(masked: MaskedText, { role, pattern }: Phrase, claimed: Claimed): Generator<Mention> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(masked.text); found; found = pattern.exec(masked.text)) {
    const figures = [...found[0].matchAll(MASK)].map(([, index]) => Number(index));
    if (figures.some((index) => claimed.has(index))) {
      // Another mention may begin within this one, but not before its first figure.
      pattern.lastIndex = Math.max(found.index + 1, masked.startOf(figures[0]!));
      continue;
    }
    for (const index of figures) claimed.add(index);
    yield mentionOf(masked, role, found);
  }
}

function mentionOf(masked: MaskedText, role: Role, found: RegExpExecArray): Mention {
  const [start, end] = [found.index, found.index + found[0].length];
  const places = found.groups ?? {};
  const figure = (place: string) => {
    const mask = places[place];
    return mask === undefined ? undefined : masked.figures[Number(mask.slice(1))];
  };
  const amount = figure('money') ?? figure('amount') ?? figure('part');
  const years = figure('years');
  const months = years?.value === undefined ? (figure('months') ?? years) : { ...years, value: 12 * years.value };
  return {
    role,
    start,
    end,
    money: amount?.kind === 'percent' ? undefined : amount,
    percent: amount?.kind === 'percent' ? amount : undefined,
    count: figure('count') ?? (role === 'payment' ? months : undefined),
    months,
    days: figure('days'),
    perYear: role === 'payment' || role === 'count' ? perYearAt(masked, start, end) : undefined,
  };
}

/** How often payments are made, by the words that say so. */
const INTERVALS: [says: RegExp, perYear: number][] = [
  [/\b(?:bi-?weekly|fortnight(?:ly)?|(?:every|each) (?:two|other) weeks?|catorcenal(?:es)?)/, 26],
  [/\b(?:semi-?monthly|twice a month|quincenal(?:es)?|quincenas?)\b/, 24],
  [/\b(?:weekly|semanal(?:es)?)\b|(?:\/ ?|\bper |\ba |\beach |\bevery |\bpor |\ba la |\bcada )(?:week|wk|semana)\b/, 52],
  [/\b(?:quarterly|trimestral(?:es)?)\b|(?:\/ ?|\bper |\ba |\beach |\bevery |\bpor |\bal |\bcada )(?:quarter|trimestre)\b/, 4],
  [/\b(?:yearly|anuales)\b|(?:\/ ?|\bper |\ba |\beach |\bevery |\bpor |\bal |\bcada )(?:year|yr|ano)\b/, 1],
  [/\b(?:monthly|mensual(?:es)?)\b|(?:\/ ?|\bper |\ba |\beach |\bevery |\bpor |\bal |\bcada )(?:mo|mth|month|mes)\b/, 12],
];

const EVERY_WEEKS = /(?:every|cada|each) N(\d+) (?:weeks|semanas)/;

function perYearAt(masked: MaskedText, start: number, end: number): number | undefined {
  // Behind the amount it must follow at once: what comes later may be about something else.
  const behind =
    /^,?(?: (?:paid|due|payable|made))? [a-z]{1,20}(?: [a-zN\d]{1,20}){0,2}/.exec(masked.text.slice(end, end + 32))?.[0] ?? '';
  for (const words of [masked.text.slice(start, end), behind]) {
    const weeks = EVERY_WEEKS.exec(words);
    const count = weeks ? masked.figures[Number(weeks[1])]?.value : undefined;
    if (count === 1 || count === 2 || count === 4) return 52 / count;
    const found = INTERVALS.find(([says]) => says.test(words));
    if (found) return found[1];
  }
  return undefined;
}
