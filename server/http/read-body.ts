import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { ServiceError } from '../errors.ts';

/**
 * The body of a request, decompressed. Whoever sent more than is taken hears so at once, and is let finish: what comes after is
 * dropped, so that the answer arrives and the connection can be used again.
 *
 * @param limitBytes - After decompression, which stops there.
 * @throws ServiceError `body-too-large`, `unsupported-encoding`, `invalid-request` - it is not what its encoding says, or it ends
 *   too early.
 */
export async function readBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): Promise<Buffer> {
  const decompress = decompressor(request.headers['content-encoding'] ?? 'identity');
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  letBodyCome(request, response);

  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const source = decompress ? request.pipe(decompress) : request;
    const refuse = (refusal: ServiceError): void => {
      source.off('data', take);
      discardBody(request);
      decompress?.destroy();
      reject(refusal);
    };
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) refuse(tooLarge(limitBytes));
      else chunks.push(chunk);
    };
    const fail = (cause?: Error): void =>
      refuse(
        new ServiceError('invalid-request', 'The body could not be read: it is broken off, or not what it says it is.', {
          cause,
        }),
      );
    source.on('data', take);
    source.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    source.on('error', fail);
    if (decompress) request.on('error', fail);
  });
}

/** Tells a client that waits to be told so (`Expect: 100-continue`) to send the body. */
export function letBodyCome(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
}

/** Drops what is still to come of a body that nobody reads on. */
export function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
}

export function tooLarge(limitBytes: number, cause?: Error): ServiceError {
  return new ServiceError('body-too-large', `The body is larger than ${limitBytes} bytes.`, { cause });
}

/** @throws ServiceError `unsupported-encoding` */
function decompressor(encoding: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new ServiceError('unsupported-encoding', 'Content-Encoding: expected gzip, deflate, br or none.');
  }
}
