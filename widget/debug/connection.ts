import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import type { Finding } from './finding.ts';

/** What came of asking for the programs as the element does. */
export interface Connection {
  programs?: ProgramDocument;
  findings: Finding[];
}

/** Asks for the programs once more, from the browser's cache if it has them, and finds out why they do not come. */
export async function connect(base: string, apiKey: string): Promise<Connection> {
  const url = `${base}/storefront/programs?key=${encodeURIComponent(apiKey)}`;
  const answer = await ask(url, 'cors');
  if (answer?.ok) {
    const programs: ProgramDocument | undefined = await answer.json().catch(() => undefined);
    return programs?.programs
      ? { programs, findings: [] }
      : {
          findings: [
            { code: 'programs', says: `${base} answers, but not with financing programs. Is it the address of the service?` },
          ],
        };
  }
  if (answer) {
    const { description }: { description?: string } = await answer.json().catch(() => ({}));
    return {
      findings: [{ code: 'programs', says: `The service answers ${answer.status}: ${description ?? 'no reason given'}` }],
    };
  }
  // Pages that may not read an answer still learn that there is one.
  const isThere = await ask(url, 'no-cors');
  return {
    findings: [
      isThere
        ? {
            code: 'not-let-in',
            says: `The service does not let ${location.origin} read its programs: register this origin with your merchant, and check that the API key is one of the service's.`,
          }
        : {
            code: 'service-unreachable',
            says: `Nothing answers at ${base}. Is the address right, the service running, and the policy of this page open to it?`,
          },
    ],
  };
}

function ask(url: string, mode: RequestMode): Promise<Response | undefined> {
  return fetch(url, { mode, credentials: 'omit', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
}
