/** Returns every sentence of a tree of texts with its path, for example `plans.title`. */
export function sentencesOf(tree: object, path = ''): [name: string, sentence: string][] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const name = path ? `${path}.${key}` : key;
    if (typeof value === 'string') return [[name, value]];
    return typeof value === 'object' && value !== null ? sentencesOf(value, name) : [];
  });
}

/** Returns the literal text between the placeholders of a sentence, without pieces too short to identify a language. */
export function piecesOf(sentence: string): string[] {
  return sentence
    .split(/\{\w+\}/)
    .map((piece) => piece.replace(/^[\s.,;:]+|[\s.,;:]+$/g, ''))
    .filter((piece) => /[a-záéíóúñ]{2}/i.test(piece));
}
