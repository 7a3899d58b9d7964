import type { Finding } from './finding.ts';
import type { ReadExample } from './follows.ts';
import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';

const LEAD_IN =
  /\b(?:as low as|as little as|from|starting at|starting from|desde|a partir de|tan bajo como)(?: only| just| solo)? ?$/;
const EXAMPLE = /\b(?:examples?|ejemplos?|e\.g\.|p\. ?ej)/;
const FINANCING =
  /\b(?:pay|paying|payments?|instal?lments?|financ\w{1,9}|loans?|credit\w{0,2}|apr|interest|pagos?|cuotas?|mensualidad\w{0,2}|prestamos?|interes\w{0,2})\b/;
const DOWN_PAYMENT =
  /\b(?:with (?:an?|the|your)|requires?(?: an?)?|after (?:an?|the|your)) down ?payment\b(?! (?:of|is|as))|(?<!\bno )\bdown ?payment (?:is )?required\b|\b(?:con|requiere|tras)(?: un| el| su)? (?:pago inicial|enganche|cuota inicial|anticipo)\b(?! de)/;

/**
 * What must be said once some of it is.
 *
 * @see Regulation Z, 12 CFR 1026.24(d): the amount or percentage of a down payment, the number of payments or the period of
 *   repayment, the amount of any payment and that of any finance charge each require the down payment, the terms of repayment
 *   over the full term and the annual percentage rate. Comment 24(d)(2)-5: an example that has them will do.
 */
export function triggeredTerms(masked: MaskedText, mentions: readonly Mention[], examples: readonly ReadExample[]): Finding[] {
  const findings = examples.flatMap((example): Finding[] => {
    const missing = [
      ...(example.payments.length > 0 ? [] : ['how many payments there are, each with its amount']),
      ...(example.aprPercent === undefined ? ['its APR, which a range of rates is not'] : []),
    ];
    if (missing.length === 0) return [];
    const message = `Naming a payment requires the terms of repayment and the APR. Missing: ${missing.join('; ')}.`;
    return [{ rule: 'triggered-terms', message, excerpt: example.text }];
  });
  const trigger = examples.length === 0 ? mentions.find((mention) => isTrigger(masked, mention)) : undefined;
  if (trigger) {
    const message = 'This requires the terms of repayment and the APR: an example with its payments, their number and its APR.';
    findings.push({ rule: 'triggered-terms', message, excerpt: masked.excerpt(trigger.start, trigger.end) });
  }
  const down = mentions.some(({ role }) => role === 'downPayment') ? null : DOWN_PAYMENT.exec(masked.text);
  if (down) {
    const message = 'A down payment is required, but neither its amount nor its percentage is printed.';
    findings.push({ rule: 'triggered-terms', message, excerpt: masked.excerpt(down.index, down.index + down[0].length) });
  }
  return [...findings, ...exampleWord(masked, mentions)];
}

/** A payment that begins a list of them is an example, and must say so: comment 24(d)(2)-5. */
function exampleWord(masked: MaskedText, mentions: readonly Mention[]): Finding[] {
  if (EXAMPLE.test(masked.text)) return [];
  const from = mentions.find(({ role, start, end }) => {
    const figure = masked.text.slice(start, end).search(/[MN]\d/);
    return role === 'payment' && LEAD_IN.test(masked.text.slice(Math.max(0, start - 32), start + figure));
  });
  if (!from) return [];
  const message = 'The lowest payment is an example, but the text does not call anything an example.';
  return [{ rule: 'example-word', message, excerpt: masked.around(from.start, from.end) }];
}

function isTrigger(masked: MaskedText, { role, money, percent, months, start, end }: Mention): boolean {
  if (role === 'downPayment' || role === 'financeCharge' || role === 'interest')
    return money?.cents !== 0 && percent?.value !== 0;
  if (role === 'payment' || role === 'first' || role === 'last' || role === 'count') return true;
  // Warranties and deliveries have a period as well.
  return months !== undefined && FINANCING.test(masked.text.slice(Math.max(0, start - 60), end + 60));
}
