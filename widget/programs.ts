import type { ProgramDocument } from '../shared/programs/rate-sheet.ts';
import { toCents } from './attributes.ts';
import { FinancingError } from './events.ts';

/** Maximum number of requests to a failing service until the browser is back online. */
const MAX_REQUESTS = 6;

/**
 * The financing programs of one merchant. Requested once per page, and again after a failure while there are subscribers:
 * with exponential backoff, and when the browser is back online.
 */
export class ProgramSource {
  /** The programs, or the error `service` or `answer`; undefined while they are loading. */
  programs: ProgramDocument | FinancingError | undefined;
  readonly #url: string;
  readonly #subscribers = new Set<() => void>();
  /** True from the start of a request until it fails. */
  #isLoaded = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Loads the programs unless they are loaded. @param subscriber - Called whenever `programs` changes. */
  subscribe(subscriber: () => void): void {
    this.#subscribers.add(subscriber);
    if (this.#subscribers.size > 1) return;
    addEventListener('online', this.#load);
    // An element that is removed and added again must not request more often.
    if (this.programs instanceof FinancingError) this.#retryLater();
    else this.#load();
  }

  /** Leaves no listener and no timer behind after the last subscriber. */
  unsubscribe(subscriber: () => void): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size) return;
    removeEventListener('online', this.#load);
    clearTimeout(this.#retryTimer);
  }

  readonly #load = (): void => void this.#loadOnce();

  async #loadOnce(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    clearTimeout(this.#retryTimer);
    const [programs, isTransient] = await fetchPrograms(this.#url);
    this.#isLoaded = !(programs instanceof FinancingError);
    this.programs = programs;
    for (const subscriber of this.#subscribers) subscriber();
    // A later `online` event starts a new series of requests.
    this.#failures = (this.#failures % MAX_REQUESTS) + 1;
    if (isTransient && this.#failures < MAX_REQUESTS && this.#subscribers.size) this.#retryLater();
  }

  #retryLater(): void {
    // Jitter spreads the requests of many pages to a service that has just recovered.
    this.#retryTimer = setTimeout(this.#load, 500 * 2 ** this.#failures * (0.5 + Math.random()));
  }
}

/** Sources by URL, for the lifetime of the page, so that all its elements share one request. */
const sources = new Map<string, ProgramSource>();

/** Returns the source of the programs of the merchant with this API key. @param service - Base URL without a trailing slash. */
export function programSource(service: string, apiKey: string): ProgramSource {
  const url = `${service}/storefront/programs?key=${encodeURIComponent(apiKey)}`;
  let source = sources.get(url);
  if (!source) sources.set(url, (source = new ProgramSource(url)));
  return source;
}

/** Returns the programs or an error, and whether another request may succeed. */
async function fetchPrograms(url: string): Promise<[ProgramDocument | FinancingError, isTransient: boolean]> {
  let status = 0;
  try {
    // Without headers and cookies the browser needs no preflight request, and may share the cached response.
    const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(10_000) });
    status = response.status;
    if (response.ok) {
      const document: ProgramDocument = await response.json();
      if (isUsable(document)) return [document, false];
    }
  } catch {
    // The connection failed, or the response is not JSON or has another shape.
  }
  return [
    new FinancingError(status === 200 ? 'answer' : 'service', `${url} ${status}`),
    status < 400 || status === 429 || status >= 500,
  ];
}

/**
 * Rejects only documents that would display wrong figures. Other invalid documents cause an exception when an estimate is
 * calculated.
 *
 * @throws TypeError if the document has another shape.
 */
function isUsable({ programs }: ProgramDocument): boolean {
  return programs.every(
    ({ closing, amount, offers }) =>
      closing.en.trim() &&
      toCents(amount.minCents) &&
      toCents(amount.maxCents) &&
      // The calculation of a very long term would freeze the page.
      offers.every(({ termLength, firstPeriod }) => termLength + firstPeriod.months < 999),
  );
}
