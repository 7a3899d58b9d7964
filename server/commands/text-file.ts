import { createReadStream } from 'node:fs';

/** Far more than any document an operator writes. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a text from a file, or what is piped in when the file is called `-`.
 *
 * @throws Error - it cannot be read, is above 1 MB, or is not in UTF-8.
 */
export async function readText(file: string, input: () => AsyncIterable<Uint8Array>): Promise<string> {
  const name = file === '-' ? 'standard input' : file;
  const bytes = await bytesOf(name, file === '-' ? input() : createReadStream(file));
  try {
    // A mark at the beginning, as some editors leave, is taken off.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new Error(`${name}: expected text in UTF-8, but received something else`, { cause: thrown });
  }
}

async function bytesOf(name: string, source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch (thrown) {
    throw new Error(`${name}: expected a file that can be read, but ${(thrown as Error).message}`, { cause: thrown });
  }
  if (bytes > MAX_BYTES) throw new Error(`${name}: expected at most 1 MB, but it is larger`);
  return Buffer.concat(chunks);
}
