/**
 * Whether a header came more than once. Of those that may not, Node keeps the first and others keep the last.
 *
 * @param name - In small letters.
 */
export function isSaidTwice(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.length === name.length && rawHeaders[index]!.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
