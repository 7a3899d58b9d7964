import { createHash } from 'node:crypto';
import { propertyOf } from '../../../shared/objects.ts';
import { codeOf, failureOf } from '../../base/errors.ts';

/** The hexadecimal SHA-256 of the document at the address of a privacy notice, or why it could not be fetched. */
export type FetchedNotice = { sha256: string } | { failure: string };

const TIMEOUT_MS = 15_000;

/** A notice is a few pages. */
const LIMIT_BYTES = 20_000_000;

/**
 * Fetches a privacy notice as a buyer receives it, and returns its SHA-256. Never rejects. Does not follow redirects, because the
 * document must be at the address to which the application links.
 */
export async function fetchNotice(url: string): Promise<FetchedNotice> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { failure: `the status ${response.status}` };
    }
    const digest = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of response.body ?? []) {
      sizeBytes += chunk.length;
      if (sizeBytes > LIMIT_BYTES) return { failure: `more than ${LIMIT_BYTES} bytes` };
      digest.update(chunk);
    }
    return { sha256: digest.digest('hex') };
  } catch (thrown) {
    // Node reports the code of a network failure in the cause.
    return { failure: codeOf(propertyOf(thrown, 'cause')) || failureOf(thrown) };
  }
}
