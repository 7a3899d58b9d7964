/** Every sentence of a tree of texts, by its name: `plans.title`. */
export function sentencesOf(tree: object, path = ''): [name: string, sentence: string][] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const name = path ? `${path}.${key}` : key;
    if (typeof value === 'string') return [[name, value]];
    return typeof value === 'object' && value !== null ? sentencesOf(value, name) : [];
  });
}

/** What a sentence says of itself, without the values that stand in it. Pieces too short to tell a language are left out. */
export function piecesOf(sentence: string): string[] {
  return sentence
    .split(/\{\w+\}/)
    .map((piece) => piece.replace(/^[\s.,;:]+|[\s.,;:]+$/g, ''))
    .filter((piece) => /[a-záéíóúñ]{2}/i.test(piece));
}
