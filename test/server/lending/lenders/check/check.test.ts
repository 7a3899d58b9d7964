import { describe, expect, it } from 'vitest';
import { caseIds, resultLines, summaryLine } from '../../../../../server/lending/lenders/check/check.ts';
import { NO_SOURCES } from '../../../../../server/lending/applications/decision.ts';
import { codeBlock, readGuide } from '../../../../support/docs.ts';
import { bureau, SECRET, startGuideLender } from '../../../../support/lenders.ts';
import { fairterm } from '../../../operations/commands/fairterm.ts';
import { brokenLenders, changing, check, OTHER_SECRET, startCheckedLender } from './broken-lenders.ts';

/** Cases of test buyers whom the example lender of the guide, which does not know them, decides about as about any other. */
const OTHER_BUYERS = [
  ...[1002, 1003, 1004, 1101, 1201, 2001, 2002, 2003, 2004, 2005, 3001, 4001, 4002, 4003, 5001, 5002].map(
    (digits) => `buyer-${digits}`,
  ),
  'whole-order',
  'smallest-purchase',
  'decision-repeated',
  'decision-concurrent',
  'pending-retrieval',
  'agreement-denied',
  'agreement-limit',
  'agreement-tier',
  'agreement-withdrawn',
  'agreement-late',
];

/** Those that need more than a credit policy: responses that are late or missing, and a withdrawal. */
const LATE_BUYERS = ['buyer-5001', 'buyer-5002', 'pending-retrieval', 'agreement-withdrawn', 'agreement-late'];

const failedOf = (results: Awaited<ReturnType<typeof check>>) => results.filter(({ passes }) => !passes);

describe('The conformance kit', () => {
  it('passes the reference lender in all cases', async () => {
    const results = await check();
    expect(failedOf(results)).toEqual([]);
    expect(results.map(({ id }) => id)).toEqual(caseIds);
    expect(new Set(caseIds).size).toBe(caseIds.length);
    expect(summaryLine(results)).toBe(`${caseIds.length} passed, 0 failed.`);
  }, 120_000);

  it('with scores passes the reference lender, and a lender that uses a score in each decision or states it nowhere', async () => {
    const scored = { scores: 'used', only: caseIds.filter((id) => /^(buyer|agreement|whole)/.test(id)) } as const;
    const withScores = changing(/^\/(decisions|agreements)/, ({ scoreUsed, ...decision }) =>
      scoreUsed === false
        ? { ...decision, score: { value: null, bureau }, sources: { ...NO_SOURCES, reports: [bureau] } }
        : decision,
    );
    for (const fault of [undefined, withScores]) {
      const results = await check(fault, scored);
      expect(failedOf(results)).toEqual([]);
      expect(results.length).toBeGreaterThan(20);
    }
    expect(failedOf(await check(withScores, { only: scored.only }))).toEqual([]);
    const silent = changing(/^\/(decisions|agreements)/, ({ scoreUsed: _scoreUsed, ...decision }) => decision);
    const faults = failedOf(await check(silent, scored));
    expect(faults.map(({ id }) => id)).toEqual([
      ...['2002', '2003', '2004'].map((digits) => `buyer-${digits}`),
      ...['second', 'unknown', 'denied', 'limit', 'order', 'tier', 'withdrawn'].map((name) => `agreement-${name}`),
    ]);
    expect(faults[0]!.received).toContain('score: expected a score, or scoreUsed: false, but received nothing');
    expect(failedOf(await check(silent, { only: scored.only }))).toEqual([]);
  }, 60_000);

  it('passes the example lender of the guide in all cases except those of other test buyers', async () => {
    const results = await check(undefined, await startGuideLender());
    expect(results).toHaveLength(caseIds.length);
    expect(failedOf(results).map(({ id }) => id)).toEqual(OTHER_BUYERS);
    const ofTestBuyers = await check(undefined, { ...(await startGuideLender({ hasTestBuyers: true })), only: OTHER_BUYERS });
    expect(failedOf(ofTestBuyers).map(({ id }) => id)).toEqual(LATE_BUYERS);
  });

  it.each(brokenLenders)(
    'names the fault of a lender that $title',
    async ({ fault, fails, also = [], states }) => {
      const results = await check(fault, { only: [...fails, ...also] });

      expect(results).toHaveLength(fails.length + also.length);
      expect(
        failedOf(results)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(fails.toSorted());
      expect(results.flatMap(resultLines).join('\n')).toMatch(states);
    },
    60_000,
  );

  it.each([404, 501])('passes a lender without the optional list of loans, which responds with %i', async (status) => {
    const only = caseIds.filter((id) => id.startsWith('loans'));
    const results = await check(
      async (request, correct) =>
        request.path.startsWith('/loans') ? { status, headers: {}, body: Buffer.of() } : correct(request),
      { only },
    );
    expect([results.length, failedOf(results)]).toEqual([6, []]);
  });

  it('names the case of a lender that has only one of two secrets', async () => {
    const secrets = [SECRET, OTHER_SECRET];
    const results = await check(undefined, { only: ['decision', 'secrets'], secrets });
    expect(results).toMatchObject([{ passes: true }, { id: 'secrets', passes: false, received: expect.stringMatching(/^401/) }]);
  });

  it('stops after the first case if the lender cannot be reached', async () => {
    const results = await check(undefined, { url: 'http://127.0.0.1:1' });
    expect(results).toMatchObject([{ id: 'decision', passes: false, received: 'no response: ECONNREFUSED' }]);
    expect(summaryLine(results)).toBe(`0 passed, 1 failed, ${caseIds.length - 1} were not run.`);
  });

  it('names the case since which the lender does not respond, and stops', async () => {
    let hasStopped = false;
    const results = await check(async (request, correct) => {
      hasStopped ||= request.body.toString() === 'null';
      return hasStopped ? undefined : correct(request);
    });
    const last = results.at(-1)!;
    expect(failedOf(results)).toEqual([last]);
    expect([last.id, last.hasStopped]).toEqual(['malformed-null', true]);
    expect(resultLines(last).at(-1)).toMatch(/^ +stopped +since this case, the endpoint does not respond/);
  });

  it('goes on after a single request without a response', async () => {
    const results = await check(async (request, correct) => (request.body.toString() === 'null' ? undefined : correct(request)), {
      only: ['malformed-null', 'malformed-list'],
    });
    expect(results.map(({ id, passes, hasStopped }) => [id, passes, hasStopped])).toEqual([
      ['malformed-null', false, undefined],
      ['malformed-list', true, undefined],
    ]);
  });

  it('prints a fault of several cases once', async () => {
    const withoutScores = await check(
      changing(/^\/decisions/, ({ score: _score, ...decision }) => decision),
      {
        only: ['decision', 'unicode', 'buyer-2001'],
      },
    );
    expect(withoutScores.flatMap(resultLines)).toEqual([
      'FAILED  decision',
      expect.stringMatching(/^ +sent/),
      expect.stringMatching(/^ +expected/),
      expect.stringMatching(/^ +received +200 .*"score":"known"}$/),
      'FAILED  unicode, as decision, with names with letters of several bytes',
      'FAILED  buyer-2001',
      expect.stringMatching(/^ +sent/),
      expect.stringMatching(/^ +expected/),
      expect.stringMatching(/^ +received +200 .*"outcome":"denied"/),
    ]);
    const unsigned = await check(async () => ({ status: 401, headers: {}, body: Buffer.of() }));
    expect(failedOf(unsigned).length).toBeGreaterThan(50);
    const first = failedOf(unsigned).filter(({ sameAs }) => sameAs === undefined);
    expect(first.map(({ id }) => id)).toEqual(['decision', 'buyer-5001']);
  });

  it('names the timeout of a lender that does not respond', async () => {
    const results = await check(() => new Promise(() => undefined), { timeoutMs: 100 });
    expect(results).toMatchObject([{ received: 'no response within 100 ms' }]);
  });
});

describe('fairterm lender check', () => {
  const env = { LENDER_SECRET: SECRET };
  const some = ['--case', 'decision', '--case', 'signature-missing'];

  it('prints each case and exits with 0 if all pass, without a database', async () => {
    const { url } = await startCheckedLender();
    const { code, stdout } = await fairterm(['lender', 'check', url, ...some], { env });
    expect(stdout).toEqual([
      'passed  decision',
      'passed  signature-missing',
      `2 passed, 0 failed, ${caseIds.length - 2} were not run.`,
    ]);
    expect(code).toBe(0);
  });

  it('requires scores with --scores used', async () => {
    const { url } = await startCheckedLender(changing(/^\/decisions/, ({ scoreUsed: _scoreUsed, ...decision }) => decision));
    const codeOf = async (...args: string[]) =>
      (await fairterm(['lender', 'check', url, '--case', 'buyer-2004', ...args], { env })).code;
    expect([await codeOf(), await codeOf('--scores', 'used'), await codeOf('--scores', 'some')]).toEqual([0, 1, 1]);
  });

  it('is called as the guide documents, whose number of cases is right', async () => {
    const guide = 'server/docs/lenders.md';
    const { url } = await startCheckedLender();
    const [, command = ''] = /^LENDER_SECRET=\$LENDER_SECRET npx fairterm (.*)\n$/.exec(codeBlock(guide, 'check')) ?? [];
    const args = command.replace('$LENDER_URL', url).split(' ');
    expect((await fairterm([...args, '--case', 'decision'], { env })).code).toBe(0);
    expect(readGuide(guide)).toContain(`It sends ${caseIds.length} cases`);
  });

  it('prints what a failed case sent, expected and received, and exits with 1', async () => {
    const { url } = await startCheckedLender((request, correct) => correct({ ...request, path: '/elsewhere' }));
    const { code, stdout } = await fairterm(['lender', 'check', url, ...some], { env });
    expect(stdout.slice(0, 4)).toEqual([
      'FAILED  decision',
      '        sent      a decision request of an approved test buyer',
      '        expected  the decision of the test buyer',
      '        received  404 without webhook-id, webhook-timestamp and webhook-signature',
    ]);
    expect(code).toBe(1);
  });

  it('prints the cases as JSON', async () => {
    const { url } = await startCheckedLender();
    const { stdout } = await fairterm(['lender', 'check', url, ...some, '--json'], { env });
    expect(stdout).toHaveLength(1);
    expect(JSON.parse(stdout[0]!)).toMatchObject({
      cases: [
        {
          id: 'decision',
          passes: true,
          sent: expect.any(String),
          expected: expect.any(String),
          received: expect.stringContaining('approved'),
        },
        {},
      ],
    });
  });

  it.each<[title: string, args: string[], environment: Record<string, string>, message: RegExp]>([
    ['a missing secret', ['http://127.0.0.1:1'], {}, /LENDER_SECRET: expected whsec_/],
    ['http to another machine', ['http://bank.example'], env, /LENDER_URL: expected an https address/],
    ['an unknown case', ['http://127.0.0.1:1', '--case', 'all'], env, /--case: expected one of decision, /],
    ['no URL', [], env, /expected URL/],
  ])('rejects %s', async (_title, args, environment, message) => {
    const { code, stderr } = await fairterm(['lender', 'check', ...args], { env: environment });
    expect(stderr.join('\n')).toMatch(message);
    expect(code).toBeGreaterThan(0);
  });
});
