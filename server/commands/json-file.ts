import { createReadStream } from 'node:fs';
import { jsonFault } from './json-fault.ts';

/** Far more than any program takes. */
const MAX_BYTES = 1_000_000;

/**
 * Reads JSON from a file, or from what is piped in when the file is called `-`.
 *
 * @throws Error - it cannot be read, is above 1 MB, or is no JSON in UTF-8; the message says where it stops being that.
 */
export async function readJson(file: string, input: () => AsyncIterable<Uint8Array>): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  const text = decoded(name, await bytesOf(name, file === '-' ? input() : createReadStream(file)));
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    const fault = jsonFault(text);
    if (!fault) throw thrown;
    const received = fault.found ? JSON.stringify(fault.found) : 'the end of the line';
    const message = `${name}: expected JSON, but received ${received} at line ${fault.line}, column ${fault.column}`;
    throw new Error(message, { cause: thrown });
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

function decoded(name: string, bytes: Buffer): string {
  try {
    // A mark at the beginning, as some editors leave, is taken off.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new Error(`${name}: expected text in UTF-8, but received something else`, { cause: thrown });
  }
}
