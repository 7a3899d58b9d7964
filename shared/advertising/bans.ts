import type { Finding, Rule } from './finding.ts';
import type { MaskedText } from './masked-text.ts';
import { isDenied } from './negation.ts';

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
];

/** Whatever is guaranteed in an advertisement of credit is read as the credit. */
const GUARANTEED = words(String.raw`\bguarante(?:e[ds]?|eing)\b|\bgarantiza\w{0,6}\b|\bgarantias? de (?:aprobacion|credito)\b`);
/** What is promised of goods, unless credit is named with it. */
const OF_GOODS =
  /\b(?:(?:satisfaction|satisfaccion|delivery|entrega)(?: is| are| esta)? (?:guarante\w+|garantiz\w+)|(?:money[ -]back|price[ -]match|lifetime|limited|N\d+[ -](?:day|month|year)s?) guarantees?)$/;
const CREDIT = String.raw`\b(?:approv\w{2,3}|acceptance|accepted|credit|financing|loans?|funding|aprobacion|aprobad[oa]s?|creditos?|financiacion|financiamiento|prestamos?)\b`;
const CREDIT_BEFORE = new RegExp(String.raw`${CREDIT}[^.!?¶]{0,24}$`);
const CREDIT_BEHIND = new RegExp(String.raw`^[^.!?¶]{0,40}?${CREDIT}`);

const INTEREST_FREE = words(
  String.raw`\binterest free\b|\b(?:no|zero|without|P(?<percent>\d+)) interest\b|\b(?:sin|cero|libres? de) inter(?:es|eses)\b`,
);

/**
 * What an advertisement may not say.
 *
 * @param hasCharge - Whether it names a fee, a finance charge or a rate above 0.
 */
export function findBans(masked: MaskedText, hasCharge: boolean): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: Rule, why: string, excerpt: string) => {
    findings.push({ rule, message: `"${excerpt}" may not be said. ${why}`, excerpt });
  };
  const quoted = ({ index, 0: said }: RegExpExecArray) => masked.excerpt(index, index + said.length);
  const isInterest = (found: RegExpMatchArray) => {
    const percent = found.groups?.['percent'];
    return percent !== undefined && masked.figures[Number(percent)]?.value !== 0;
  };

  const deferred = new Set<number>();
  for (const { rule, says, why } of BANS) {
    for (const found of masked.text.matchAll(says)) {
      if (isInterest(found) || isDenied(masked.text, found.index)) continue;
      if (rule === 'deferred-interest') deferred.add(found.index);
      find(rule, why, quoted(found));
    }
  }
  for (const { index, 0: said } of masked.text.matchAll(GUARANTEED)) {
    // That nothing is guaranteed may and should be said.
    if (isDenied(masked.text, index) || isOfGoods(masked.text, index, index + said.length)) continue;
    find('guaranteed-credit', 'No credit is certain before it is applied for.', masked.around(index, index + said.length));
  }
  if (!hasCharge) return findings;
  for (const found of masked.text.matchAll(INTEREST_FREE)) {
    if (isInterest(found) || deferred.has(found.index) || isDenied(masked.text, found.index)) continue;
    find('interest-free-with-charge', 'There is a finance charge or a fee.', quoted(found));
  }
  return findings;
}

function isOfGoods(text: string, start: number, end: number): boolean {
  const before = Math.max(0, start - 48);
  return (
    OF_GOODS.test(text.slice(before, end)) &&
    !CREDIT_BEFORE.test(text.slice(before, start)) &&
    !CREDIT_BEHIND.test(text.slice(end, end + 56))
  );
}
