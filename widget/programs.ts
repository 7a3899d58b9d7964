import type { ProgramDocument } from '../shared/programs/rate-sheet.ts';
import { httpUrl, toCents } from './attributes.ts';
import { FinancingError } from './events.ts';
import { script } from './script.ts';

/** How often a service that fails is asked, before the browser says that its connection is back. */
const MOST_ASKS = 6;

/** What is known of one merchant's programs, and who wants to hear more. */
export interface Source {
  /** The programs, or the error `service` or `answer`. */
  answer?: ProgramDocument | FinancingError;
  readonly followers: Set<() => void>;
  readonly ask: () => void;
}

/** By address and kept as long as the page, so that any number of elements make one request. */
const sources = new Map<string, Source>();

/** Base address of the service, without a slash at its end; undefined when what is written is none. */
export function serviceUrl(service: string | null | undefined): string | undefined {
  // The script stands at `<service>/widget/<version>/financing-button.js`.
  return (service ? httpUrl(service) : httpUrl('../../', script))?.replace(/\/*$/, '');
}

/**
 * The programs of the merchant with this key. Asked for once per page, and again after a failure while anybody follows:
 * soon, then ever later, and when the browser is back online.
 *
 * @param base     - `serviceUrl`.
 * @param follower - Called whenever the source has another answer.
 */
export function followPrograms(base: string, apiKey: string, follower: () => void): Source {
  const url = `${base}/storefront/programs?key=${encodeURIComponent(apiKey)}`;
  let source = sources.get(url);
  if (!source) sources.set(url, (source = sourceAt(url)));
  const { followers, ask } = source;
  followers.add(follower);
  if (followers.size === 1) {
    addEventListener('online', ask);
    ask();
  }
  return source;
}

/** Leaves nothing behind once nobody follows. */
export function unfollow({ followers, ask }: Source, follower: () => void): void {
  followers.delete(follower);
  if (!followers.size) removeEventListener('online', ask);
}

function sourceAt(url: string): Source {
  let isAsking = false;
  let wake = (): void => {};
  const source: Source = {
    followers: new Set(),
    ask() {
      wake();
      if (!isAsking && (!source.answer || source.answer instanceof FinancingError)) void keepAsking();
    },
  };
  const keepAsking = async (): Promise<void> => {
    isAsking = true;
    for (let asks = 1, mayPass = true; mayPass && asks <= MOST_ASKS && source.followers.size; asks++) {
      [source.answer, mayPass] = await fetchPrograms(url);
      for (const follower of source.followers) follower();
      // Spread, so that a thousand pages do not all return at once to a service that just came back.
      if (mayPass) await new Promise<void>((resolve) => setTimeout((wake = resolve), 500 * 2 ** asks * (0.5 + Math.random())));
    }
    isAsking = false;
  };
  return source;
}

/** @returns The answer, and whether asking again may help. */
async function fetchPrograms(url: string): Promise<[ProgramDocument | FinancingError, boolean]> {
  // No header and no cookie: the browser then needs no preflight, and the answer can be cached for everybody.
  const answer = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const { status = 0 } = answer ?? {};
  if (!answer?.ok) return [new FinancingError('service', `${url} ${status}`), !status || status === 429 || status >= 500];
  const document: ProgramDocument | undefined = await answer.json().catch(() => undefined);
  return [isProgramDocument(document) ? document : new FinancingError('answer', url), false];
}

/** Looks only at what would be shown wrong without failing; the rest is checked where a quote is worked out. */
function isProgramDocument(claimed: ProgramDocument | undefined): claimed is ProgramDocument {
  try {
    const { programs, texts } = claimed!;
    return programs.every(
      ({ closing, amount }) =>
        typeof closing.en === 'string' && texts.en.example && toCents(amount.minCents) && toCents(amount.maxCents),
    );
  } catch {
    return false;
  }
}
