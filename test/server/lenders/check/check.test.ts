import { describe, expect, it } from 'vitest';
import { caseIds, resultLines, summaryLine } from '../../../../server/lenders/check/check.ts';
import { codeBlock, readGuide } from '../../../support/docs.ts';
import { SECRET } from '../../../support/lenders.ts';
import { fairterm } from '../../commands/fairterm.ts';
import { brokenLenders, check, OTHER_SECRET, startCheckedLender } from './broken-lenders.ts';

const failedOf = (results: Awaited<ReturnType<typeof check>>) => results.filter(({ passes }) => !passes);

describe('The conformance kit', () => {
  it('passes the reference lender in all cases', async () => {
    const results = await check();
    expect(failedOf(results)).toEqual([]);
    expect(results.map(({ id }) => id)).toEqual(caseIds);
    expect(new Set(caseIds).size).toBe(caseIds.length);
    expect(summaryLine(results)).toBe(`${caseIds.length} passed, 0 failed.`);
  }, 120_000);

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
