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
  /** After a while, which grows with every failure. */
  readonly askLater: () => void;
  /** Of the next asking. */
  timer?: ReturnType<typeof setTimeout>;
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
  const { answer, followers, ask, askLater } = source;
  followers.add(follower);
  if (followers.size === 1) {
    addEventListener('online', ask);
    // Coming and going is no reason to ask a service that fails more often.
    if (answer instanceof FinancingError) askLater();
    else ask();
  }
  return source;
}

/** Leaves nothing behind once nobody follows. */
export function unfollow({ followers, ask, timer }: Source, follower: () => void): void {
  followers.delete(follower);
  if (!followers.size) {
    removeEventListener('online', ask);
    clearTimeout(timer);
  }
}

function sourceAt(url: string): Source {
  let isAskedOrKnown = false;
  let failures = 0;
  const source: Source = {
    followers: new Set(),
    ask: () => void askOnce(),
    askLater() {
      // Spread, so that a thousand pages do not all return at once to a service that just came back.
      source.timer = setTimeout(source.ask, 500 * 2 ** failures * (0.5 + Math.random()));
    },
  };
  const askOnce = async (): Promise<void> => {
    if (isAskedOrKnown) return;
    isAskedOrKnown = true;
    clearTimeout(source.timer);
    const [answer, mayPass] = await fetchPrograms(url);
    isAskedOrKnown = !(answer instanceof FinancingError);
    source.answer = answer;
    for (const follower of source.followers) follower();
    // Whoever asks after the last time starts again.
    failures = (failures % MOST_ASKS) + 1;
    if (mayPass && failures < MOST_ASKS && source.followers.size) source.askLater();
  };
  return source;
}

/** @returns The answer, and whether asking again may bring another. */
async function fetchPrograms(url: string): Promise<[ProgramDocument | FinancingError, boolean]> {
  let status = 0;
  try {
    // No header and no cookie: the browser then needs no preflight, and the answer can be cached for everybody.
    const answer = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(10_000) });
    status = answer.status;
    if (answer.ok) {
      const document: ProgramDocument = await answer.json();
      if (areUsable(document)) return [document, false];
    }
  } catch {
    // No connection, one that broke, no JSON, or no programs in it.
  }
  return [
    new FinancingError(status === 200 ? 'answer' : 'service', `${url} ${status}`),
    status < 400 || status === 429 || status >= 500,
  ];
}

/**
 * Looks only at what would be shown wrong without failing; the rest is checked where a quote is worked out.
 *
 * @throws TypeError - it is something else altogether.
 */
function areUsable({ programs }: ProgramDocument): boolean {
  return programs.every(
    ({ closing, amount, offers }) =>
      closing.en.trim() &&
      toCents(amount.minCents) &&
      toCents(amount.maxCents) &&
      // A page would stand still for the payments of a million years.
      offers.every(({ termLength, firstPeriod }) => termLength + firstPeriod.months < 999),
  );
}
