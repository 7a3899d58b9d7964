import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** A certificate with those that vouch for it, and its private key, as PEM. */
export interface TlsPair {
  cert: Buffer;
  key: Buffer;
}

/**
 * Reads the certificate and its key.
 *
 * @throws Error - a file cannot be read or parsed, or the certificate and key do not match; the message names the variable.
 */
export function readTlsPair({ certFile, keyFile }: { certFile: string; keyFile: string }): TlsPair {
  const pair = { cert: readNamed('TLS_CERT', certFile), key: readNamed('TLS_KEY', keyFile) };
  requireUsable('TLS_CERT', `a certificate as PEM in ${certFile}`, { cert: pair.cert });
  requireUsable('TLS_KEY', `a private key as PEM, without a passphrase, in ${keyFile}`, { key: pair.key });
  requireUsable('TLS_KEY', `the private key of the certificate ${certFile} in ${keyFile}`, pair);
  return pair;
}

function readNamed(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new Error(`${variable}: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function requireUsable(variable: string, expected: string, part: Partial<TlsPair>): void {
  try {
    createSecureContext(part);
  } catch (thrown) {
    throw new Error(`${variable}: expected ${expected}, but found something else`, { cause: thrown });
  }
}
