/** The claims that are rejected in English, see there. */
export const claims =
  /\bsin inter(?:és|es|eses)(?:\s\p{L}+){0,3}\s(?:si|cuando|siempre que|hasta que)\b|\binter(?:és|es|eses) diferidos?\b|\b(?:igual|mismo(?: precio)?) (?:que|como) (?:al |de |en )?(?:contado|efectivo)\b|(?<!\b(?:no|nunca|nada)\b[^.!?]{0,40})\bgarantiza\p{L}*/iu;
