import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';

/** What one example says, as far as it has been gathered. */
export interface Draft {
  start: number;
  end: number;
  /** The first and the last of its sentences, by their number in the text. */
  sentences: [first: number, last: number];
  /** What an example says once. */
  once: { [_ in Once]?: Mention };
  /** Its payments in order: a first one, those that are alike, a last one. */
  payments: Mention[];
  fees: Mention[];
  /** Amounts beside them that no word says anything about. */
  unnamed: Mention[];
}

const ONCE = [
  'firstPeriod',
  'downPayment',
  'financeCharge',
  'interest',
  'sum',
  'price',
  'purchase',
  'amountFinanced',
  'loan',
  'term',
  'count',
  'apr',
] as const;
type Once = (typeof ONCE)[number];

/** What stands between payments that follow each other. */
const THEN =
  /^(?: due| paid)?[,;]?(?: ?(?:and|then|plus|\+|&|y|e|mas|luego|despues|followed by|seguid[oa]s? (?:de|por)|with|con)){0,2}(?: an?| un| una| the| el| la)?(?: [a-z]{1,12})? ?$/;

const ADDED = /\b(?:and|then|plus|followed by|y|e|mas|luego|despues|seguid[oa]s?)\b|[+&]/;
const INCLUDED = /\b(?:including|includes|of which|incluid[oa]|incluyendo|de l[oa]s cuales)\b/;

/**
 * Gathers what a text says into examples.
 *
 * What a sentence says belongs together until it says something again that it has said differently; sentences belong together as
 * long as they do not contradict each other. An example that names no amount is about the one that was named last before it in
 * its sentence or the sentence before.
 *
 * @returns The examples, and what is said apart from them and names no payment.
 */
export function draftsOf(masked: MaskedText, mentions: readonly Mention[]): { examples: Draft[]; rest: Draft[] } {
  const examples: Draft[] = [];
  const rest: Draft[] = [];
  let waiting: Draft | undefined;
  for (const draft of sentenceDrafts(masked, mentions)) {
    const last = examples.at(-1);
    if (last && isCompatible(last, draft)) {
      merge(last, draft);
    } else if (draft.payments.length === 0) {
      if (waiting && isCompatible(waiting, draft)) merge(waiting, draft);
      else rest.push((waiting = draft));
    } else {
      if (waiting && isCompatible(waiting, draft)) {
        merge(waiting, draft);
        rest.pop();
        examples.push(waiting);
      } else {
        if (last && draft.sentences[0] - last.sentences[1] <= 1 && !hasAmount(draft)) inherit(draft, last);
        examples.push(draft);
      }
      waiting = undefined;
    }
  }
  return { examples, rest };
}

/** The parts of each sentence. */
function sentenceDrafts(masked: MaskedText, mentions: readonly Mention[]): Draft[] {
  const drafts: Draft[] = [];
  let sentence = 0;
  let current: Draft | undefined;
  for (const mention of mentions) {
    if (mention.role === 'bound' || mention.role === 'contingent' || mention.role === 'deferral') continue;
    if (mention.start >= masked.sentenceEnds[sentence]!) current = undefined;
    while (mention.start >= masked.sentenceEnds[sentence]!) sentence++;
    if (!current || !take(masked, current, mention)) {
      const { start, end } = mention;
      current = { start, end, sentences: [sentence, sentence], once: {}, payments: [], fees: [], unnamed: [] };
      drafts.push(current);
      take(masked, current, mention);
    }
  }
  return drafts;
}

/** Adds a mention to a draft, unless it contradicts what is there. */
function take(masked: MaskedText, draft: Draft, mention: Mention): boolean {
  const { role } = mention;
  if (role === 'fee') draft.fees.push(mention);
  else if (role === 'unnamed') draft.unnamed.push(mention);
  else if (role === 'payment' || role === 'first' || role === 'last') {
    const previous = draft.payments.at(-1);
    const known = draft.payments.find((one) => isSamePayment(one, mention));
    if (known) complete(known, mention);
    else if (
      !previous ||
      role !== 'payment' ||
      THEN.test(masked.text.slice(previous.end, Math.min(mention.start, previous.end + 48)))
    ) {
      if (role !== 'payment' && draft.payments.some((one) => one.role === role)) return false;
      if (previous && role === 'last') join(mention, masked.text.slice(previous.end, Math.min(mention.start, previous.end + 48)));
      draft.payments.push(mention);
    } else return false;
  } else if ((ONCE as readonly string[]).includes(role)) {
    const known = draft.once[role as Once];
    if (known && !isSame(known, mention)) return false;
    draft.once[role as Once] ??= mention;
  }
  draft.end = Math.max(draft.end, mention.end);
  return true;
}

function join(last: Mention, between: string): void {
  if (INCLUDED.test(between)) last.joined = 'included';
  else if (ADDED.test(between)) last.joined = 'added';
}

function isCompatible(one: Draft, other: Draft): boolean {
  if (ONCE.some((role) => one.once[role] && other.once[role] && !isSame(one.once[role], other.once[role]))) return false;
  if (one.payments.length === 0 || other.payments.length === 0) return true;
  return one.payments.some((payment) => other.payments.some((same) => isSamePayment(payment, same)));
}

/** Adds `from` to `to`, which it does not contradict. */
function merge(to: Draft, from: Draft): void {
  for (const role of ONCE) if (from.once[role]) to.once[role] ??= from.once[role];
  for (const payment of from.payments) {
    const known = to.payments.find((one) => isSamePayment(one, payment));
    if (known) complete(known, payment);
    else to.payments.push(payment);
  }
  to.fees.push(...from.fees);
  // An amount in a sentence of its own may be about anything, unless the example is in want of one.
  if (from.payments.length > 0 || !hasAmount(to)) to.unnamed.push(...from.unnamed);
  to.end = Math.max(to.end, from.end);
  to.sentences[1] = Math.max(to.sentences[1], from.sentences[1]);
}

/** A payment is named again where it is the same amount, and not as often otherwise. */
function isSamePayment(one: Mention, other: Mention): boolean {
  const isOnce = one.count === undefined || other.count === undefined || one.count.value === other.count.value;
  return one.role === other.role && one.money?.cents === other.money?.cents && isOnce;
}

function complete(known: Mention, again: Mention): void {
  known.count ??= again.count;
  known.perYear ??= again.perYear;
}

function isSame(one: Mention, other: Mention): boolean {
  return (
    one.money?.cents === other.money?.cents &&
    one.percent?.value === other.percent?.value &&
    one.months?.value === other.months?.value &&
    one.days?.value === other.days?.value &&
    one.count?.value === other.count?.value
  );
}

function hasAmount({ once }: Draft): boolean {
  return Boolean(once.purchase ?? once.loan ?? once.amountFinanced);
}

function inherit(draft: Draft, from: Draft): void {
  for (const role of ['purchase', 'loan', 'amountFinanced', 'downPayment'] as const) {
    if (from.once[role]) draft.once[role] ??= from.once[role];
  }
}
