import type { Language } from '../disclosure/texts.ts';
import { formatMoney } from '../money.ts';
import { findBans } from './bans.ts';
import { deniedCharges, hasCharge } from './charges.ts';
import { draftsOf } from './drafts.ts';
import { printedExample } from './example.ts';
import { findFigures } from './figures.ts';
import type { Finding } from './finding.ts';
import { followsFrom, type ReadExample } from './follows.ts';
import { maskedText } from './masked-text.ts';
import { findMentions } from './mentions.ts';
import { plainText } from './plain-text.ts';
import { aprsOutsideRanges, findRates } from './rates.ts';
import { reconcile } from './reconcile.ts';
import { triggeredTerms } from './terms.ts';
import {
  amountsBesideRates,
  deferredPayments,
  implausibleCounts,
  unclearExample,
  unclearFees,
  unnamedAmounts,
  unreadFigures,
} from './unread.ts';

export { type Finding, type Rule, RULES } from './finding.ts';
export type { Follows, ReadExample } from './follows.ts';

/** What was read of an advertisement, and what is wrong with it. */
export interface Lint {
  examples: ReadExample[];
  findings: Finding[];
}

export interface LintOptions {
  /** Decides how numbers are written where the text does not tell. Left out, the text's own words decide. */
  language?: Language;
  /** ISO 4217 code; USD when left out. */
  currency?: string;
}

/**
 * Reads an advertisement for financing, works its examples out again and says what does not fit.
 *
 * Reads plain text, in English and in Spanish; tags are not taken out of it. What it reads stands in `examples`; what it cannot
 * read is a finding, not a pass. Its rules are those of closed-end credit in the United States; whether what is printed is
 * really offered, and whether it is large enough to be read, it cannot know.
 *
 * @throws RangeError - `currency` is no ISO 4217 code.
 * @see Regulation Z, 12 CFR 1026.24 and 1026.22.
 */
export function lintAdvertisement(text: string, { language, currency = 'USD' }: LintOptions = {}): Lint {
  const plain = plainText(text);
  const masked = maskedText(plain, findFigures(plain, currency, language ?? languageOf(plain.text)));
  const { mentions, claimed } = findMentions(masked);
  const rates = findRates(masked, claimed);
  const money = (cents: number) => formatMoney(cents, currency);

  const all = [...mentions, ...rates.aprs].sort((a, b) => a.start - b.start);
  const { examples: drafts, rest } = draftsOf(masked, all);
  const findings: Finding[] = [];
  const examples = drafts.map((draft) => {
    const { example, unclear, unread } = printedExample(masked, draft);
    const read = { ...example, follows: followsFrom(example) };
    findings.push(
      ...reconcile(read, money),
      ...unclearExample(read, unclear),
      ...unclearFees(read),
      ...unnamedAmounts(masked, unread),
    );
    return read;
  });

  findings.push(
    ...deniedCharges(masked, drafts, examples),
    ...triggeredTerms(masked, mentions, examples),
    ...rates.findings,
    ...aprsOutsideRanges(examples, rates),
    ...deferredPayments(masked, mentions, examples),
    ...findBans(masked, hasCharge(masked, examples, mentions, rates)),
    ...amountsBesideRates(masked, rest),
    ...unreadFigures(masked),
    ...implausibleCounts(masked, mentions),
  );
  return { examples, findings };
}

/** The language of most of the small words. */
function languageOf(text: string): Language {
  const count = (words: RegExp) => text.match(words)?.length ?? 0;
  const spanish = count(/\b(?:el|la|los|las|de|del|un|una|con|por|para|su|en|al|mes|meses|pagos?)\b/gi);
  return spanish > count(/\b(?:the|of|an?|to|for|with|your|is|at|and|per|month|months|payments?)\b/gi) ? 'es' : 'en';
}
