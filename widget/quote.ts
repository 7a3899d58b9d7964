import { asLowAs } from '../shared/as-low-as.ts';
import type { ProgramDocument } from '../shared/programs/rate-sheet.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import { httpUrl, toCents } from './attributes.ts';
import { FinancingError } from './events.ts';

/** What this page has asked for, by address, so that any number of elements make one request; and what of it failed. */
const answers = new Map<string, Promise<ProgramDocument | FinancingError>>();
const failed = new Set<string>();

/** Where this script came from. A classic script has no `import.meta`, a module has no `currentScript`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an SVG script cannot be where this runs from
const script = (globalThis.document?.currentScript as HTMLScriptElement | null)?.src || import.meta.url;

/**
 * The programs of the merchant with this key. Asked once per page and kept, a failure too.
 *
 * @param service - Base address of the service; empty for the one this script came from.
 * @param again   - Ask anew if asking has failed: the connection may be back.
 * @returns The error instead: `service` or `answer`. Never rejects.
 */
export async function loadPrograms(
  service: string | null | undefined,
  apiKey: string,
  again: boolean,
): Promise<ProgramDocument | FinancingError> {
  // The script stands at `<service>/widget/v1/financing-button.js`.
  const base = service ? httpUrl(service) : httpUrl('../../', script);
  if (!base) return new FinancingError('service', service);

  const url = base.replace(/\/*$/, `/storefront/programs?key=${encodeURIComponent(apiKey)}`);
  let answer = answers.get(url);
  if (!answer || (again && failed.delete(url))) {
    answers.set(url, (answer = fetchPrograms(url)));
    void answer.then((got) => got instanceof FinancingError && failed.add(url));
  }
  return answer;
}

/**
 * The "as low as" example for an amount, worked out here with the arithmetic the service uses.
 *
 * @param programId - A financing program; empty for the merchant's default.
 * @returns The error instead: `program` when the merchant has no such program, `answer` when its numbers make no loan.
 */
export function quote(
  document: ProgramDocument,
  programId: string | null | undefined,
  amountCents: number,
): AsLowAs | FinancingError {
  const id = programId || document.defaultProgramId;
  const program = document.programs.find((candidate) => candidate.id === id);
  if (!program) return new FinancingError('program', id);
  try {
    return asLowAs(program, amountCents, new Date().toISOString().slice(0, 10), document.texts.en);
  } catch {
    return new FinancingError('answer', id);
  }
}

async function fetchPrograms(url: string, mayRetry = true): Promise<ProgramDocument | FinancingError> {
  // No header and no cookie: the browser then needs no preflight, and the answer can be cached for everybody.
  const answer = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.ok) {
    const document: ProgramDocument | undefined = await answer.json().catch(() => undefined);
    return isProgramDocument(document) ? document : new FinancingError('answer', url);
  }
  const isRefused = answer && answer.status < 500;
  if (isRefused || !mayRetry) return new FinancingError('service', `${url} ${answer?.status}`);
  // Spread, so that a thousand pages do not all return at once to a service that just came back.
  await new Promise((resolve) => setTimeout(resolve, 500 + 1_500 * Math.random()));
  return fetchPrograms(url, false);
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
