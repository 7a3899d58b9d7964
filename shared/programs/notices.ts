import { LANGUAGES, type Language } from '../languages.ts';
import type { Problem } from './consistency.ts';
import type { ProgramFields } from './program.ts';

/**
 * Percentages and amounts. Next to an example they would be terms of credit that the example does not support: 12 CFR
 * 1026.24(d).
 */
const FIGURES =
  /\d[\d.,]*\s?%|(?:[$€£¥]|\bUSD)\s?\d[\d.,]*|\b\d[\d.,]*\s(?:percent|dollars?|cents?|por ciento|d[oó]lares|centavos)\b/iu;

/** Claims that an advertisement of credit must not make: deferred interest, "same as cash", guaranteed approval. */
const CLAIMS: Record<Language, RegExp> = {
  en: /\b(?:(?:no|zero|without) interest|interest[- ]free)(?:\s\w+){0,3}\s(?:if|when|unless|until|provided|as long as)\b|\bdeferred interest\b|\bsame[ -]as[ -]cash\b|(?<!\b(?:no|not|never|nothing)\b[^.!?]{0,40})\bguarante(?:e[ds]?|eing)\b/iu,
  es: /\bsin inter(?:és|es|eses)(?:\s\p{L}+){0,3}\s(?:si|cuando|siempre que|hasta que)\b|\binter(?:és|es|eses) diferidos?\b|\b(?:igual|mismo(?: precio)?) (?:que|como) (?:al |de |en )?(?:contado|efectivo)\b|(?<!\b(?:no|nunca|nada)\b[^.!?]{0,40})\bgarantiza\p{L}*/iu,
};

/**
 * Returns the rates, amounts and claims that the state notices of a program must not contain. Notices are the only free text in
 * a disclosure, and are shown with every example.
 */
export function noticeProblems({ states }: ProgramFields): Problem[] {
  return Object.entries(states.notices).flatMap(([state, notice]) =>
    LANGUAGES.flatMap((language) => {
      const text = notice[language] ?? '';
      const path = ['states', 'notices', state, language];
      const figure = FIGURES.exec(text)?.[0];
      const claim = CLAIMS[language].exec(text)?.[0];
      return [
        ...(figure === undefined
          ? []
          : [{ path, message: `Expected a notice without rates and amounts, but received "${figure}"` }]),
        ...(claim === undefined
          ? []
          : [{ path, message: `Expected a notice without claims about credit, but received "${claim}"` }]),
      ];
    }),
  );
}
