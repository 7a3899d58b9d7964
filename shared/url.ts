/**
 * An address as browsers read it; undefined when it is none.
 *
 * `URL.canParse` is not asked: once Node 20 has been asked often, it takes the letters of Latin-1 for something else, refuses
 * `https://bücher.example`, and takes what cannot be read (nodejs/node, fast calls with one-byte strings).
 */
export function parsedUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
