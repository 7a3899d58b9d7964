import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advertisementCommands } from '../../../server/commands/advertisement.ts';

const ad = 'As low as $72.21/mo. For example, an $800 purchase takes 12 monthly payments of $72.21 at 15% APR.';
const wrong = '$4,000 amount financed, 24 payments of $204.45 at 19.60% APR';

describe('fairterm advertisement lint', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairterm-advertisement-'));
    writeFileSync(join(folder, 'ad.txt'), `\ufeff${ad}\n`);
    writeFileSync(join(folder, 'latin-1.txt'), Buffer.from([0x31, 0xf3]));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says what it read and what follows from it', async () => {
    expect(await lint([join(folder, 'ad.txt')])).toEqual({
      code: 0,
      answers: [
        '"$72.21/mo. For example, an $800 purchase takes 12 monthly payments of $72.21 at',
        '15% APR"',
        '  Purchase                          $800.00',
        '  Payments                     12 of $72.21',
        '  APR                                   15%',
        '  Amount financed, computed         $800.00',
        '  Total of payments, computed       $866.52',
        '  APR, computed                     15.009%',
        '',
        'Nothing was found.',
      ],
    });
  });

  it('says what does not fit, with its exit code too', async () => {
    const { code, answers } = await lint(['-'], wrong);

    expect(code).toBe(1);
    expect(answers.slice(-5)).toEqual([
      'apr-does-not-reconcile',
      '    19.6% APR is printed, but the payments make it 20.443%. The printed rate is',
      '    0.84 points below that; 1/8 of a point is allowed. ("$4,000 amount financed,',
      '    24 payments of $204.45 at 19.60% APR")',
      '1 thing was found.',
    ]);
  });

  it('says so where there is no example', async () => {
    expect(await lint(['-'], 'Same as cash')).toMatchObject({
      code: 1,
      answers: ['No example was read.', '', 'same-as-cash', expect.any(String), expect.any(String), '1 thing was found.'],
    });
  });

  it('answers in JSON what the rules say', async () => {
    const { code, answers } = await lint(['-', '--json'], wrong);

    expect(code).toBe(1);
    expect(answers).toHaveLength(1);
    expect(JSON.parse(answers[0]!)).toMatchObject({
      examples: [{ amountFinancedCents: 400_000, count: 24, aprPercent: 19.6, follows: { totalOfPaymentsCents: 490_680 } }],
      findings: [{ rule: 'apr-does-not-reconcile' }],
    });
  });

  it('reads another language and currency', async () => {
    const spanish = 'Compra de 1.299,00 €: 12 cuotas de 117,25 €, APR 15 %';

    expect(await lint(['-', '--language', 'es', '--currency', 'eur'], spanish)).toMatchObject({ code: 0 });
    expect(await lint(['-', '--language', 'es'], spanish)).toMatchObject({ code: 1 });
  });

  it.each([
    [[], 'expected FILE'],
    [['a', 'b'], 'expected one FILE, but received 2'],
    [['-', '--language', 'fr'], '--language: expected en or es, but received "fr"'],
    [['-', '--currency', 'dollars'], '--currency: expected an ISO 4217 code, but received "dollars"'],
    [['/nowhere/ad.txt'], '/nowhere/ad.txt: expected a file that can be read'],
  ])('refuses %j', async (args, message) => {
    await expect(lint(args)).rejects.toThrow(message);
  });

  it('refuses what is no text, and more than anyone reads', async () => {
    await expect(lint([join(folder, 'latin-1.txt')])).rejects.toThrow('expected text in UTF-8');
    await expect(lint(['-'], 'a'.repeat(1_000_001))).rejects.toThrow('standard input: expected at most 1 MB');
  });
});

async function lint(args: string[], piped = ''): Promise<{ code: number | void; answers: string[] }> {
  const answers: string[] = [];
  const code = await advertisementCommands['advertisement lint']!.run(args, {
    config: () => {
      throw new Error('The environment was asked for');
    },
    clock: { now: () => '2026-11-21T09:30:00.000000Z' },
    async *input() {
      yield Buffer.from(piped);
    },
    answer: (line) => answers.push(line),
    remark: () => {},
  });
  return { code, answers };
}
