import { jsonFault } from './json-fault.ts';
import { readText } from './text-file.ts';

/**
 * Reads JSON from a file, or from what is piped in when the file is called `-`.
 *
 * @throws Error - it cannot be read, is above 1 MB, or is no JSON in UTF-8; the message says where it stops being that.
 */
export async function readJson(file: string, input: () => AsyncIterable<Uint8Array>): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  const text = await readText(file, input);
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
