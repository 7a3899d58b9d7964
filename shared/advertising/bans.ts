import type { Finding, Rule } from './finding.ts';
import type { MaskedText } from './masked-text.ts';

/** What stands between two words, were they written on two lines or with a star between them. */
const GAP = String.raw`[^A-Za-z\d.]{1,4}`;

interface Ban {
  rule: Rule;
  says: RegExp;
  why: string;
}

const words = (said: string) => new RegExp(said.replaceAll(' ', GAP), 'g');

/** What may not be said at all. */
const BANS: Ban[] = [
  {
    rule: 'deferred-interest',
    says: words(
      String.raw`\b(?:(?:no|zero|P(?<percent>\d+)) interest|interest free|without interest)(?: [a-z]{1,12}){0,3} (?:if|when|unless|until|provided|as long as)\b|\bdeferred interest\b|\bsin inter(?:es|eses)(?: [a-z]{1,12}){0,3} (?:si|cuando|siempre que|hasta que|pagando)\b|\binter(?:es|eses) diferidos?\b`,
    ),
    why: 'Interest that falls due later if something is not paid in time is a charge that the payments do not show.',
  },
  {
    rule: 'same-as-cash',
    says: words(
      String.raw`\bsame as cash\b|\b(?:igual|mismo(?: precio)?) (?:que|como) (?:(?:al|de|en|pagar al|pagar en) )?(?:contado|efectivo)\b|\bcomo si (?:pagara|pagase|fuera|pagaras) (?:al|de|en) (?:contado|efectivo)\b`,
    ),
    why: 'Credit is not the same as cash: it has to be repaid on terms.',
  },
  {
    rule: 'guaranteed-credit',
    says: words(
      String.raw`\bguarante(?:ed?|es|eing)\b[^.!?${'¶'}]{0,40}?\b(?:approv\w{2,3}|acceptance|accepted|credit|financing|loans?|funding)\b|\b(?:approv\w{2,3}|acceptance|credit|financing|loans?|funding)\b[^.!?${'¶'}]{0,24}?\bguaranteed?\b|\bgarantiza(?:d[oa]s?|mos)\b[^.!?${'¶'}]{0,40}?\b(?:aprobacion|creditos?|financiacion|financiamiento|prestamos?)\b|\b(?:aprobacion|aprobad[oa]s?|creditos?|financiacion|financiamiento|prestamos?)\b[^.!?${'¶'}]{0,24}?\bgarantizad[oa]s?\b`,
    ),
    why: 'No credit is certain before it is applied for.',
  },
];

const INTEREST_FREE = words(
  String.raw`\binterest free\b|\b(?:no|zero|without|P(?<percent>\d+)) interest\b|\b(?:sin|cero|libres? de) inter(?:es|eses)\b`,
);
const NEGATION = /\b(?:not|no|never|cannot|can't|isn't|aren't|neither|nor|nunca|ningun|ninguna|sin)\b/;

/**
 * What an advertisement may not say.
 *
 * @param hasCharge - Whether it names a fee, a finance charge or a rate above 0.
 */
export function findBans(masked: MaskedText, hasCharge: boolean): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: Rule, { index, 0: found }: { index: number; 0: string }, why: string) => {
    const excerpt = masked.excerpt(index, index + found.length);
    findings.push({ rule, message: `"${excerpt}" may not be said. ${why}`, excerpt });
  };
  const isInterest = (found: RegExpMatchArray) => {
    const percent = found.groups?.['percent'];
    return percent !== undefined && masked.figures[Number(percent)]?.value !== 0;
  };

  const deferred = new Set<number>();
  for (const { rule, says, why } of BANS) {
    for (const found of masked.text.matchAll(says)) {
      // That nothing is guaranteed may and should be said.
      const before = masked.text.slice(Math.max(0, found.index - 24), found.index + found[0].length);
      if (isInterest(found) || (rule === 'guaranteed-credit' && NEGATION.test(sameSentence(before)))) continue;
      if (rule === 'deferred-interest') deferred.add(found.index);
      find(rule, found, why);
    }
  }
  if (!hasCharge) return findings;
  for (const found of masked.text.matchAll(INTEREST_FREE)) {
    if (isInterest(found) || deferred.has(found.index)) continue;
    find('interest-free-with-charge', found, 'There is a finance charge or a fee.');
  }
  return findings;
}

function sameSentence(text: string): string {
  return text.split(/[.!?¶]/).at(-1)!;
}
