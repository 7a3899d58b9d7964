/** Claims that an advertisement of credit must not make: deferred interest, "same as cash", guaranteed approval. */
export const claims =
  /\b(?:(?:no|zero|without) interest|interest[- ]free)(?:\s\w+){0,3}\s(?:if|when|unless|until|provided|as long as)\b|\bdeferred interest\b|\bsame[ -]as[ -]cash\b|(?<!\b(?:no|not|never|nothing)\b[^.!?]{0,40})\bguarante(?:e[ds]?|eing)\b/iu;
