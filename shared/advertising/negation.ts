/** What may be put around a word without parting it from the one before. */
const SPACE = String.raw`[ "*_]{1,3}`;
const NOT = String.raw`(?:(?<!\bwhy )not|no|never|cannot|nothing|nobody|without|neither|nor|(?:is|are|was|were|do|does|did|ca|wo|would|could|should)n'?t|nunca|tampoco|ningun|ninguna|ni|sin)`;
/** Verbs and articles; what else stands between belongs to the negation itself: "no credit check guaranteed approval". */
const LINK = String.raw`(?:an?|the|any|be|been|is|are|constitute|imply|mean|offer|se|le|les|esta|estan|es|son|sera|seran|ser|un|una|la|el|los|las|alguna|hay|existe|ofrecemos|constituye|implica|significa|podemos|puede|pueden)`;
const CREDIT = String.raw`(?:approval|credit|financing|loan|aprobacion|credito|financiamiento|financiacion|prestamo)s?`;
const DENIED = new RegExp(
  String.raw`\b(?:${NOT}(?:${SPACE}${LINK}){0,2}|(?:no|ningun|ninguna)${SPACE}${CREDIT}${SPACE}(?:is|are|es|esta))${SPACE}$`,
);

/** Whether what begins at a place is denied by the words just before it, with no stop or comma between. */
export function isDenied(text: string, at: number): boolean {
  return DENIED.test(text.slice(Math.max(0, at - 48), at));
}
