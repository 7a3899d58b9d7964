/** Suggestions that are shown at most; more would be a list. */
const MAX_SUGGESTIONS = 3;

/** Returns the names that someone may have meant who typed these words: those with the fewest different letters. */
export function suggestionsFor(words: readonly string[], names: readonly string[]): readonly string[] {
  const distances = names.map((name) => {
    const parts = name.split(' ');
    const typed = words.slice(0, parts.length).join(' ');
    // The second word of a name alone, such as "export".
    return [name, Math.min(limitedDistanceOf(typed, name), limitedDistanceOf(words[0] ?? '', parts.at(-1)!))] as const;
  });
  const least = Math.min(...distances.map(([, distance]) => distance));
  const nearest = distances.filter(([, distance]) => distance === least && distance < Infinity);
  return nearest.length > MAX_SUGGESTIONS ? [] : nearest.map(([name]) => name);
}

/** Returns the distance of two texts; infinite if more than a third of the letters differ. */
function limitedDistanceOf(typed: string, name: string): number {
  const distance = typed.length > 2 * name.length ? Infinity : distanceOf(typed, name);
  return distance * 3 <= name.length ? distance : Infinity;
}

/** Returns the number of letters to insert, delete, replace or exchange with the next one (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      );
    }
    before = last;
    last = current;
  }
  return last[other.length]!;
}
