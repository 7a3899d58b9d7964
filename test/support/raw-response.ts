/** The responses in bytes that were received over a socket. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface ParsedResponse {
  status: number;
  headers: [name: string, value: string][];
  text: string;
}

/** Parses the response at the beginning of `bytes`; undefined if it is incomplete. */
export function parseResponse(bytes: Buffer, isHead: boolean): { response: ParsedResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine!.slice(9, 12));
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const bodyStart = headEnd + 4;
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  if (!hasBody) return { response: { status, headers, text: '' }, length: bodyStart };
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  const body = isChunked ? chunksIn(bytes, bodyStart) : plainBody(bytes, bodyStart, headers);
  return body && { response: { status, headers, text: textOf(body.bytes, headers) }, length: body.end };
}

/** Returns the text of a body; encoded, if it is not in the encoding of its header. */
function textOf(bytes: Buffer, headers: ParsedResponse['headers']): string {
  const decompress = decompressors.get(headers.find(([name]) => name === 'content-encoding')?.[1]);
  try {
    return (decompress?.(bytes) ?? bytes).toString('utf8');
  } catch {
    return bytes.toString('utf8');
  }
}

const decompressors = new Map<string | undefined, (bytes: Buffer) => Buffer>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
]);

function plainBody(bytes: Buffer, start: number, headers: ParsedResponse['headers']): { bytes: Buffer; end: number } | undefined {
  const end = start + Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
  return bytes.length < end ? undefined : { bytes: bytes.subarray(start, end), end };
}

function chunksIn(bytes: Buffer, start: number): { bytes: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (bytes.length < at) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), end: at };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
  }
}

export function headerOf({ headers }: ParsedResponse, name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1];
}
