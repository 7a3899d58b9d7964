import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importProgram } from '../../../server/programs/import.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { openDatabase } from '../../../server/db/database.ts';
import { asLowAs } from '../../../shared/as-low-as.ts';
import { disclosure as english } from '../../../shared/languages/en/disclosure.ts';
import { disclosure as spanish } from '../../../shared/languages/es/disclosure.ts';
import { plansFor } from '../../../shared/plans.ts';
import { createDatabaseUrl } from '../../support/databases.ts';
import { sheet } from '../../support/checkout.ts';
import { createProgram } from '../../support/programs.ts';
import { fairterm, now } from './fairterm.ts';
import { testKeys } from '../../support/data-keys.ts';

const today = '2026-11-21';
const reportOf = async (...args: string[]) => JSON.parse((await fairterm(['quote', ...args, '--json'])).stdout.join('\n'));

describe('fairterm quote', () => {
  it('prints a quote of the built-in program without a database', async () => {
    const { code, stdout, stderr } = await fairterm(['quote', '$500.00']);
    expect([code, stderr]).toEqual([0, []]);
    const text = stdout.join('\n');
    expect(text).toContain('$500.00, program "standard", version 1, 2026-11-21\n\nAs low as $23.07 a month\nExample: ');
    expect(text).toContain(`
TIER  MONTHS  MONTHLY     APR  FINANCE CHARGE    TOTAL   DOWN
A         24   $23.07   9.99%          $53.71  $553.71  $0.00
B         24   $25.45  19.99%         $110.64  $610.64  $0.00`);
    expect(text).toContain(`
Tier A, 24 months (standard-24)
ANNUAL PERCENTAGE RATE    9.99%
FINANCE CHARGE           $53.71
Amount financed         $500.00
Total of payments       $553.71
Creditor: Fairterm Lending.
Payments: 23 of $23.07, monthly from December 21, 2026; 1 of $23.10 on November
21, 2028.
Amount financed: $500.00 to the merchant.
Prepayment: no penalty.
Late payment: no charge. Security: none.

NO.  DUE         PAYMENT  INTEREST  PRINCIPAL  BALANCE
  1  2026-12-21   $23.07     $4.16     $18.91  $481.09
  2  2027-01-21   $23.07     $4.01     $19.06  $462.03`);
    expect(stdout.at(-1)).toBe(' 24  2028-11-21   $23.10     $0.19     $22.91    $0.00');
  });

  it.each([['1299'], ['$30,000.00'], ['50'], ['1299', '--language', 'es']])(
    'prints at most 80 columns for the arguments %s',
    async (...args) => {
      const { stdout } = await fairterm(['quote', ...args]);
      expect(stdout.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it('prints the calculated quote and plans as one JSON object', async () => {
    const { code, stdout } = await fairterm(['quote', '1299', '--json']);
    expect([code, stdout.length]).toEqual([0, 1]);
    const report = JSON.parse(stdout[0]!);
    expect(report).toMatchObject({
      program: 'standard',
      currency: 'USD',
      amountCents: 129_900,
      state: null,
      language: 'en',
      basis: { programVersion: 1, calculationVersion: 1, disclosureVersion: english.version, date: today },
      asLowAs: asLowAs(sheet, 129_900, today, english),
      plan: { apr: 0.0999, amountFinancedCents: 129_900, totalOfPaymentsCents: 143_848, date: today },
    });
    const plans = plansFor(sheet, 129_900, today);
    expect(report.offers.map(({ offerId, tierId }: any) => [offerId, tierId])).toEqual(
      plans.map(({ offerId, tierId }) => [offerId, tierId]),
    );
    expect(report.offers[0]).toEqual({
      offerId: 'standard-24',
      tierId: 'A',
      termLength: 24,
      monthlyCents: 5_994,
      apr: 0.0999,
      financeChargeCents: 13_948,
      totalOfPaymentsCents: 143_848,
      dueTodayCents: 0,
    });
  });

  it.each<[args: string[], tierId: string, term: number]>([
    [[], 'A', 24],
    [['--tier', 'B'], 'B', 24],
    [['--term', '6'], 'A', 6],
    [['--tier', 'C', '--term', '12'], 'C', 12],
  ])('with the options %j shows the payments of tier %s over %i months', async (args, tierId, term) => {
    const { plan } = await reportOf('1299', ...args);
    expect([plan.tierId, plan.payments.length]).toEqual([tierId, term]);
  });

  it('prints a quote with its disclosure in Spanish', async () => {
    expect((await reportOf('500', '--language', 'es')).asLowAs).toEqual(asLowAs(sheet, 50_000, today, spanish));
    expect((await fairterm(['quote', '500', '--language', 'es'])).stdout).toContain('As low as $23.07 a month');
  });

  it('prints the range instead of a plan for an amount outside it', async () => {
    const { code, stdout } = await fairterm(['quote', '10']);
    expect([code, stdout.slice(0, 3)]).toEqual([
      0,
      [
        '$10.00, program "standard", version 1, 2026-11-21',
        '',
        'Financing is offered for purchases from $50.00 to $30,000.00, subject to credit',
      ],
    ]);
    expect(await reportOf('10')).toMatchObject({ asLowAs: { monthly: 0 }, offers: [], plan: null });
  });

  it.each<[args: string[], code: number, message: string]>([
    [[], 2, 'expected AMOUNT'],
    [[''], 2, 'expected AMOUNT'],
    [['1', '2'], 2, 'expected one AMOUNT, but received 2'],
    [['5', '--trem', '6'], 2, "Unknown option '--trem'"],
    [['5', '--tier'], 2, "Option '--tier <value>' argument missing"],
    [['5', '--program', 'x'], 2, 'expected --merchant with --program'],
    [['5', '--merchant', 'm', '--file', 'f'], 2, 'expected --merchant or --file, but received both'],
    [['1,29'], 1, 'AMOUNT: expected an amount such as $1,299.00, but received "1,29"'],
    [['-5'], 1, 'received "-5"'],
    [['-$5.00'], 1, 'received "-$5.00"'],
    [['0'], 1, 'received 0'],
    [['100', '--tier', 'D'], 1, 'available: A over 24, B over 24'],
    [['10', '--tier', 'A'], 1, 'available: none'],
    [['100', '--term', 'six'], 1, '--term: expected months from 1 to 999, but received "six"'],
    [['100', '--state', 'Illinois'], 1, '--state: expected the two-letter code of a US state or DC, but received "Illinois"'],
    [['100', '--on', '2026-02-30'], 1, '--on: expected a date such as 2026-11-21, but received "2026-02-30"'],
    [['100', '--language', 'fr'], 1, '--language: expected en or es, but received "fr"'],
    [['100', '--file', 'nowhere.json'], 1, 'nowhere.json: expected a file that can be read'],
  ])('rejects the arguments %j', async (args, code, message) => {
    const result = await fairterm(['quote', ...args]);
    expect([result.code, result.stdout]).toEqual([code, []]);
    expect(result.stderr[0]).toContain(`fairterm quote: `);
    expect(result.stderr[0]).toContain(message);
    expect(result.stderr.join('\n').includes('fairterm quote AMOUNT [--merchant')).toBe(code === 2);
  });

  describe('--file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const createFile = (change: Record<string, unknown>) => {
      const file = join(folder, 'program.json');
      writeFileSync(file, JSON.stringify({ ...createProgram(), ...change }));
      return file;
    };

    it('quotes a program that is not imported, for a state and a date', async () => {
      const offers = [
        { id: 'year', termLength: 12, tierAprBps: { A: 1_999 } },
        { id: 'free', termLength: 6, tierAprBps: { A: 0 }, promo: { from: '2026-12-01', to: '2026-12-31' } },
        { id: 'half', termLength: 6, tierAprBps: { A: 1_499 } },
      ];
      const file = createFile({
        id: 'draft',
        offers,
        caps: { stateAprCapBps: { NY: 1_600 } },
        downPayment: { percentBps: 1_000 },
      });
      const offersOf = async (...args: string[]) =>
        (await reportOf('500', '--file', file, ...args)).offers.map(({ offerId }: any) => offerId as string);

      expect(await offersOf()).toEqual(['year', 'half']);
      expect(await offersOf('--state', 'ny')).toEqual(['half']);
      expect(await offersOf('--state', 'NY', '--on', '2026-12-24')).toEqual(['free', 'half']);
      expect(await reportOf('500', '--file', file)).toMatchObject({
        program: 'draft',
        offers: [{ dueTodayCents: 5_000 }, { dueTodayCents: 5_000 }],
        plan: { principalCents: 45_000, dueTodayCents: 5_000 },
      });
    });

    it('reads standard input', async () => {
      const piped = JSON.stringify(createProgram({ id: 'piped' }));
      const { stdout } = await fairterm(['quote', '500', '--file', '-', '--json'], { piped });
      expect(JSON.parse(stdout[0]!)).toMatchObject({ program: 'piped' });
    });

    it('quotes in the currency of the program', async () => {
      const file = createFile({ currency: 'JPY' });
      const { stdout } = await fairterm(['quote', '¥50,000', '--file', file]);
      expect(stdout[2]).toBe('As low as ¥2,307 a month');
    });

    it('prints all errors of an invalid program and no quote', async () => {
      const result = await fairterm(['quote', '500', '--file', createFile({ version: 0, deferredInterest: 'yes' })]);
      expect([result.code, result.stdout]).toEqual([1, []]);
      expect(result.stderr).toEqual([
        expect.stringContaining('error: version: '),
        expect.stringContaining('error: deferredInterest: '),
      ]);
    });

    it.each([{ effective: { from: '2027-01-01' } }, { status: 'retired' }])(
      'warns if the program is not sold on the date: %j',
      async (change) => {
        const { code, stderr } = await fairterm(['quote', '500', '--file', createFile(change)]);
        expect([code, stderr]).toEqual([0, ['warning: "standard" is not sold on 2026-11-21']]);
      },
    );

    it('rejects a state that the program excludes', async () => {
      const result = await fairterm([
        'quote',
        '500',
        '--state',
        'CT',
        '--file',
        createFile({ states: { excluded: ['CT', 'WI'] } }),
      ]);
      expect([result.code, result.stderr]).toEqual([
        1,
        ['fairterm quote: --state: "standard" makes no loans to residents of CT'],
      ]);
    });
  });
});

describe('fairterm quote --merchant', () => {
  let databaseUrl: string;
  let merchantId: string;
  beforeAll(async () => {
    const { url, remove } = await createDatabaseUrl();
    databaseUrl = url;
    const database = openDatabase(url, testKeys);
    await database.migrate();
    ({ merchantId } = await createMerchant(database, 'sandbox', { name: 'A', storeUrl: 'https://a.example/', origins: [] }, now));
    const offers = [{ id: 'year', termLength: 12, tierAprBps: { A: 1_299 } }];
    for (const program of [
      createProgram({ id: 'campaign', offers }),
      createProgram({ id: 'campaign', version: 2, effective: { from: '2026-12-01' } }),
    ]) {
      await importProgram(database, program, [merchantId], { asDefault: false }, now);
    }
    await database.close();
    return remove;
  });
  const quote = async (...args: string[]) => {
    const result = await fairterm(['quote', '500', '--merchant', merchantId, '--json', ...args], { databaseUrl });
    return { ...result, report: result.stdout[0] === undefined ? undefined : JSON.parse(result.stdout[0]) };
  };

  it.each([
    [[], 'standard', 1],
    [['--program', 'campaign'], 'campaign', 1],
    [['--program', 'campaign', '--on', '2026-12-01'], 'campaign', 2],
  ])('with the options %j quotes the program %s, version %i', async (args, program, programVersion) => {
    expect((await quote(...args)).report).toMatchObject({ program, basis: { programVersion } });
  });

  it('rejects a program that the merchant does not have', async () => {
    expect(await quote('--program', 'none')).toMatchObject({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining('but received "none"')],
    });
  });

  it('rejects an unknown merchant', async () => {
    expect(await fairterm(['quote', '500', '--merchant', 'unknown'], { databaseUrl })).toEqual({
      code: 1,
      stdout: [],
      stderr: ['fairterm quote: merchant: expected the id of a merchant, but received "unknown"'],
    });
  });
});
