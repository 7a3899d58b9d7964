import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'superstruct';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { standardProgram } from '../../../server/programs/standard-program.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { programSchema } from '../../../server/openapi/program-schema.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { findLiveProblems } from '../../../server/programs/live.ts';
import { Program } from '../../../shared/programs/program.ts';
import { createMigratedDatabaseUrl } from '../../support/databases.ts';
import { createProgram } from '../../support/programs.ts';
import { fairterm, now } from './fairterm.ts';
import { testKeys } from '../../support/data-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program with only the required fields. */
const minimal = {
  id: 'campaign',
  name: 'Holiday',
  version: 1,
  lender: { name: 'First Bank' },
  amount: { minCents: 10_000, maxCents: 500_000 },
  tiers: [{ id: 'A', creditBand: { min: 700, max: 850 }, advertise: true }],
  offers: [{ id: 'year', termLength: 12, tierAprBps: { A: 999 } }],
  states: { excluded: ['WI'] },
};

/** The sample program, which is complete. */
const holiday: unknown = JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8'));

const withDefaults = create(minimal, Program);

function createFile(content: unknown): string {
  const file = join(folder, 'program.json');
  writeFileSync(file, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

describe('Programs on the command line', () => {
  let databaseUrl: string;
  let database: Database;
  let merchants: string[];
  beforeAll(async () => {
    const { url, remove } = await createMigratedDatabaseUrl();
    databaseUrl = url;
    database = openDatabase(url, testKeys);
    await database.migrate();
    return async () => {
      await database.close();
      await remove();
    };
  });
  beforeEach(async () => {
    const created = [];
    for (const name of ['Acme', 'Beta']) {
      created.push(await createMerchant(database, 'sandbox', { name, storeUrl: 'https://shop.example/', origins: [] }, now));
    }
    merchants = created.map(({ merchantId }) => merchantId);
  });
  const program = (verb: string, ...args: string[]) => fairterm(['program', verb, ...args], { databaseUrl });
  const importFile = (content: unknown, ...args: string[]) =>
    program('import', createFile(content), '--merchant', merchants[0]!, ...args);
  const storedVersions = async () => {
    const rows = await database.query
      .selectFrom('programs')
      .innerJoin('program_versions', 'program_versions.programId', 'programs.id')
      .select(['merchantId', 'code', 'version'])
      .where('merchantId', 'in', merchants)
      .where('code', '<>', 'standard')
      .orderBy('version')
      .execute();
    return rows.map(({ merchantId, code, version }) => [merchants.indexOf(merchantId), code, version]);
  };
  const listPrograms = async () => JSON.parse((await program('list', '--merchant', merchants[0]!, '--json')).stdout[0]!);

  describe('fairterm program schema', () => {
    it('prints the JSON Schema of programs without a database', async () => {
      const { code, stdout } = await fairterm(['program', 'schema']);
      expect([code, JSON.parse(stdout[0]!)]).toEqual([0, JSON.parse(JSON.stringify(programSchema()))]);
    });
  });

  describe('fairterm program check', () => {
    const check = (content: unknown, ...args: string[]) => fairterm(['program', 'check', createFile(content), ...args]);
    const checkLive = (content: unknown, env: Record<string, string> = { MODE: 'live', CARD_STRIPE_KEY: 'sk_live_1' }) =>
      fairterm(['program', 'check', createFile(content), '--live', '--json'], { databaseUrl: 'sqlite:none.db', env });

    it('accepts a valid program without a database', async () => {
      expect(await check(minimal)).toEqual({ code: 0, stdout: ['campaign, version 1: valid'], stderr: [] });
    });

    it('accepts a complete program for live mode', async () => {
      expect(await checkLive(holiday)).toMatchObject({ code: 0, stdout: [expect.stringMatching(/^\{"errors":\[\]/)] });
    });

    it('rejects for live mode what `program import` rejects there: a down payment without a card gateway', async () => {
      const { code, stdout, stderr } = await checkLive(holiday, {});
      const message =
        'Expected none, because no card gateway is configured (CARD_STRIPE_KEY), but received {"percentBps":1000,"minCents":0}';
      expect([code, JSON.parse(stdout[0]!), stderr]).toEqual([
        1,
        { errors: [{ path: 'downPayment', message }], warnings: expect.anything() },
        expect.arrayContaining([`error: downPayment: ${message}`]),
      ]);
      const imported = await fairterm(['program', 'import', createFile(holiday), '--merchant', 'm', '--json'], {
        databaseUrl: 'sqlite:none.db',
        env: { MODE: 'live' },
      });
      expect([imported.code, imported.stdout]).toEqual([1, stdout]);
    });

    it('lists the errors of an invalid program, with and without --live', async () => {
      for (const result of [await check({ ...minimal, version: 0 }, '--json'), await checkLive({ ...minimal, version: 0 })]) {
        expect(result).toMatchObject({
          code: 1,
          stdout: [expect.stringMatching(/^\{"errors":\[\{"path":"version"/)],
          stderr: [expect.stringMatching(/^error: version: Expected .* but received/)],
        });
      }
    });

    it('lists every field that live mode requires, with the citation', async () => {
      const { code, stdout, stderr } = await checkLive(minimal);
      expect(code).toBe(1);
      expect(stderr).toContainEqual(
        'error: lender.regulator: Expected the federal agency that an adverse action notice names (12 CFR 1002.9(b)(1)), but received nothing',
      );
      const expected = findLiveProblems(withDefaults, { hasCards: true });
      expect(JSON.parse(stdout[0]!)).toEqual({ errors: expected, warnings: [] });
      expect(stderr).toHaveLength(expected.length);
    });
  });

  describe('fairterm program import in live mode', () => {
    const live = { MODE: 'live', PUBLIC_URL: 'https://pay.example', TRUST_PROXY: '1' };
    let liveUrl: string;
    beforeAll(async () => {
      const { url, remove } = await createMigratedDatabaseUrl();
      liveUrl = url;
      return remove;
    });
    const run = (...args: string[]) => fairterm(args, { databaseUrl: liveUrl, env: live });
    const createLiveMerchant = async () => {
      const { stdout } = await run('merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json');
      return JSON.parse(stdout[0]!).merchantId as string;
    };

    it('rejects a program that lacks a required field, and lists what is missing', async () => {
      const merchantId = await createLiveMerchant();
      const result = await run('program', 'import', createFile(minimal), '--merchant', merchantId);
      expect([result.code, result.stdout, result.stderr.at(-1)]).toEqual([1, [], 'Nothing was imported.']);
      expect(result.stderr).toContainEqual(expect.stringContaining('error: lender.address: Expected'));
      const { stdout } = await run('program', 'list', '--merchant', merchantId);
      expect(stdout.join()).not.toContain('campaign');
    });

    it('adds a complete program, which a new merchant needs, because the standard program is not sold', async () => {
      const merchantId = await createLiveMerchant();
      const listed = async () => JSON.parse((await run('program', 'list', '--merchant', merchantId, '--json')).stdout[0]!);
      expect(await listed()).toMatchObject([{ program: 'standard', isDefault: true, current: null, waiting: [] }]);
      // A down payment requires a card gateway.
      const file = createFile({ ...(holiday as object), downPayment: undefined });
      expect(await run('program', 'import', file, '--merchant', merchantId, '--default')).toMatchObject({
        code: 0,
      });
      expect(await listed()).toMatchObject([
        { program: 'holiday', isDefault: true, current: { version: 1 } },
        { program: 'standard', isDefault: false, current: null },
      ]);
    });
  });

  describe('fairterm program import', () => {
    it('fills in the defaults of a program and assigns it to a merchant', async () => {
      const result = await importFile(minimal);
      expect(result).toEqual({
        code: 0,
        stdout: [expect.stringMatching(/^Added campaign, version 1, merchant [0-9a-f-]{36}, program [0-9a-f-]{36}$/)],
        stderr: [],
      });
      const { stdout } = await program('show', 'campaign', '--merchant', merchants[0]!, '--json');
      expect(JSON.parse(stdout[0]!)).toEqual(withDefaults);
    });

    it('adds a separate program for each merchant, and reports them as JSON', async () => {
      const result = await importFile(minimal, '--merchant', merchants[1]!, '--merchant', merchants[0]!, '--json');
      const response = JSON.parse(result.stdout.join('\n'));
      expect(response).toMatchObject({
        program: 'campaign',
        version: 1,
        warnings: [],
        merchants: merchants.map((merchantId) => ({ merchantId, outcome: 'added', isDefault: false, isSold: true })),
      });
      expect(response.merchants[0].programId).not.toBe(response.merchants[1].programId);
      expect(await storedVersions()).toHaveLength(2);
    });

    it('changes nothing if the same version exists with the fields in another order', async () => {
      await importFile(minimal);
      const { id, ...rest } = withDefaults;
      const result = await importFile({ ...rest, id });
      expect(result).toMatchObject({ code: 0, stdout: [expect.stringContaining('Already imported: campaign, version 1')] });
      expect(await storedVersions()).toEqual([[0, 'campaign', 1]]);
    });

    it('adds a higher version and retains the previous one', async () => {
      await importFile(minimal);
      expect(await importFile({ ...minimal, version: 3, name: 'Other' })).toMatchObject({ code: 0 });
      expect(await storedVersions()).toEqual([
        [0, 'campaign', 1],
        [0, 'campaign', 3],
      ]);
    });

    it('makes a program the default, even if it was imported before', async () => {
      expect(await listPrograms()).toMatchObject([{ program: 'standard', isDefault: true }]);
      await importFile(minimal);
      await importFile(minimal, '--default');
      expect(await listPrograms()).toMatchObject([
        { program: 'campaign', isDefault: true },
        { program: 'standard', isDefault: false },
      ]);
    });

    it('reads standard input', async () => {
      const piped = JSON.stringify(minimal);
      const result = await fairterm(['program', 'import', '-', '--merchant', merchants[0]!], { databaseUrl, piped });
      expect([result.code, await storedVersions()]).toEqual([0, [[0, 'campaign', 1]]]);
    });

    it('adds one version for eight concurrent imports', async () => {
      const file = createFile(minimal);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => program('import', file, '--merchant', merchants[0]!, '--json')),
      );
      expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 0));
      const added = outcomes.filter(({ stdout }) => JSON.parse(stdout[0]!).merchants[0].outcome === 'added');
      expect([added.length, await storedVersions()]).toEqual([1, [[0, 'campaign', 1]]]);
    });

    it('warns about suspicious terms and imports them', async () => {
      const tiers = [{ ...minimal.tiers[0], representativeShare: 0.04 }];
      const result = await importFile({ ...minimal, tiers });
      expect(result).toMatchObject({ code: 0, stderr: [expect.stringContaining('warning: tiers.0: Tier "A" is advertised')] });
    });

    it('warns if the default program of a merchant is no longer sold', async () => {
      const result = await importFile(createProgram({ version: 2, status: 'retired' }));
      expect(result).toMatchObject({
        code: 0,
        stderr: [expect.stringContaining('has "standard" as its default program, which is not sold today')],
      });
    });

    it('lists all errors of a program and imports nothing', async () => {
      const invalid = { ...minimal, version: 0, offers: [{ ...minimal.offers[0], tierAprBps: { A: 99_999 } }] };
      const result = await importFile(invalid);
      expect([result.code, result.stdout]).toEqual([1, []]);
      expect(result.stderr).toEqual([
        expect.stringMatching(/^error: version: Expected .* but received/),
        expect.stringMatching(/^error: offers.0.tierAprBps.A: Expected .* but received/),
        'Nothing was imported.',
      ]);
      const jsonResult = await importFile(invalid, '--json');
      expect(JSON.parse(jsonResult.stdout.join('\n'))).toMatchObject({
        errors: [{ path: 'version' }, { path: 'offers.0.tierAprBps.A' }],
        warnings: [],
      });
      expect(await storedVersions()).toEqual([]);
    });

    it.each<[title: string, content: () => unknown, args: string[], message: string]>([
      [
        'a stored version with other content',
        () => ({ ...minimal, name: 'Other' }),
        [],
        'versions never change; use a higher number',
      ],
      [
        'a version below the latest',
        () => ({ ...minimal, version: 1, id: 'later' }),
        [],
        'expected one above 2, the latest of "later"',
      ],
      [
        'a default that is not sold',
        () => ({ ...minimal, id: 'next', effective: { from: '2027-01-01' } }),
        ['--default'],
        'default: expected a program that is sold today, but "next" has no version in effect on 2026-11-21',
      ],
      [
        'an unknown merchant',
        () => ({ ...minimal, id: 'other' }),
        ['--merchant', 'unknown'],
        'merchant: expected the id of a merchant',
      ],
      ['invalid JSON', () => '{\n  "id": "x",\n  version: 1\n}', [], 'expected JSON, but received a syntax error'],
      ['an empty file', () => '', [], 'expected JSON, but received a syntax error'],
      ['invalid UTF-8', () => new Uint8Array([0x7b, 0xff, 0x7d]), [], 'expected text in UTF-8'],
      ['more than 1 MB', () => `"${'x'.repeat(1_000_000)}"`, [], 'expected at most 1 MB, but it is larger'],
    ])('rejects %s for all merchants', async (_title, content, args, message) => {
      await importFile(minimal);
      await importFile({ ...minimal, id: 'later', version: 2 });
      const before = await storedVersions();

      const result = await importFile(content(), '--merchant', merchants[1]!, ...args);

      expect([result.code, result.stdout]).toEqual([1, []]);
      expect(result.stderr.at(-1)).toContain(message);
      expect(await storedVersions()).toEqual(before);
    });

    it.each<[args: string[], message: string]>([
      [['--merchant', 'm'], 'expected FILE'],
      [['a.json'], 'expected --merchant'],
      [['a.json', 'b.json', '--merchant', 'm'], 'expected one FILE, but received 2'],
      [['a.json', '--merchant', 'm', '--force'], "Unknown option '--force'"],
    ])('rejects the arguments %j', async (args, message) => {
      const { code, stdout, stderr } = await program('import', ...args);
      expect([code, stdout]).toEqual([2, []]);
      expect(stderr[0]).toContain(message);
      expect(stderr[1]).toContain('fairterm program import FILE --merchant M');
    });

    it.each(['nowhere.json', folder])('rejects the unreadable file %s', async (file) => {
      expect(await program('import', file, '--merchant', merchants[0]!)).toMatchObject({
        code: 1,
        stderr: [expect.stringContaining(`${file}: expected a file that can be read, but E`)],
      });
    });
  });

  describe('fairterm program list', () => {
    it('lists current and future versions as JSON', async () => {
      await importFile({ ...minimal, effective: { from: '2026-11-01', to: '2026-12-31' } });
      await importFile({ ...minimal, version: 2, effective: { from: '2027-01-01' } });
      await importFile(createProgram({ version: 2, status: 'retired' }));
      expect(await listPrograms()).toMatchObject([
        {
          merchantId: merchants[0],
          merchantName: 'Acme',
          program: 'campaign',
          programId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          isDefault: false,
          current: { version: 1, effective: { from: '2026-11-01', to: '2026-12-31' }, offers: 1 },
          waiting: [{ version: 2, from: '2027-01-01' }],
        },
        { program: 'standard', isDefault: true, current: null, waiting: [] },
      ]);
    });

    it('lists them by merchant as text of at most 80 columns', async () => {
      await importFile({ ...minimal, effective: { from: '2026-11-01', to: '2026-12-31' } }, '--default');
      await importFile({ ...minimal, version: 2, effective: { from: '2027-01-01' } });
      await importFile(createProgram({ version: 2, status: 'retired' }));
      const { stdout } = await program('list');
      const text = stdout.join('\n').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
      expect(text).toContain(`
Acme  ID
  campaign (default)  ID
    version 1, 2026-11-01 to 2026-12-31, 1 offer
    version 2, from 2027-01-01
  standard  ID
    not sold today

Beta  ID
  standard (default)  ID
    version 1, 1970-01-01 to no end, 3 offers`);
      expect(stdout.filter((line) => line.length > 80)).toEqual([]);
    });

    it('rejects an unknown merchant', async () => {
      expect(await program('list', '--merchant', 'unknown')).toMatchObject({
        code: 1,
        stderr: ['fairterm program list: merchant: expected the id of a merchant, but received "unknown"'],
      });
    });
  });

  describe('fairterm program show', () => {
    const show = (...args: string[]) => program('show', ...args, '--merchant', merchants[0]!);

    it('shows all terms of a program', async () => {
      await importFile({
        ...minimal,
        effective: { from: '2026-11-01', to: '2027-01-31' },
        lender: {
          name: 'First Bank',
          model: 'bank-partner',
          nmlsId: '1234567',
          licenses: { CA: { type: 'License', number: '603-1234', regulator: { name: 'the DFPI' } } },
          address: '1 Bank Street, Wilmington, DE 19801',
          phone: '302-555-0101',
          regulator: { name: 'An agency', address: 'Washington, DC 20580' },
          creditBureau: {
            name: 'Reports',
            address: 'Atlanta, GA 30301',
            phone: '800-555-0100',
            website: 'https://reports.example',
          },
        },
        downPayment: { percentBps: 1_000, minCents: 500 },
        schedule: { firstPaymentAfter: { months: 1, days: 15 }, oddDaysInterest: '365' },
        tiers: [...minimal.tiers, { id: 'B', label: 'Good', creditBand: { min: 600, max: 699 }, representativeShare: 0.5 }],
        offers: [
          { id: 'year', termLength: 12, tierAprBps: { A: 999, B: 1_999 } },
          {
            id: 'free',
            termLength: 6,
            tierAprBps: { A: 0 },
            maxCents: 200_000,
            promo: { from: '2026-11-01', to: '2026-11-30', merchantDiscountBps: 350 },
          },
        ],
        caps: { stateAprCapBps: { AR: 1_700 } },
        states: {
          excluded: ['CT', 'WV'],
          overrides: { AL: { minAge: 19 } },
          notices: { NY: [{ at: 'advertisement', text: { en: 'A notice for you.' } }] },
        },
        late: {
          flatCents: 1_500,
          percentBps: 500,
          graceDays: 10,
          combine: 'lesser',
          states: { NY: { flatCents: 500 } },
        },
      });
      const { stdout } = await show('campaign');
      expect(stdout.join('\n')).toBe(`Holiday (campaign), version 1, sold from 2026-11-01 to 2027-01-31
Lender:        First Bank, bank-partner, NMLS ID 1234567
Address:       1 Bank Street, Wilmington, DE 19801, 302-555-0101
Regulator:     An agency, Washington, DC 20580
Credit bureau: Reports, Atlanta, GA 30301, 800-555-0100, https://reports.example
Credit:        loan, USD
Purchases:     $100.00 to $5,000.00
Down payment:  10.00% at least $5.00
Payments:      monthly, rounded half-up, the first after 1 month, 15 days
First period:  odd days: 365, counted: exact
Caps:          APR at most 35.99%, military APR at most 36.00%
Late payment:  the lesser of $15.00 and 5.00% of the payment, after 10 days

TIER  CREDIT SCORES  ADVERTISED  SHARE  LABEL
A     700 to 850     yes
B     600 to 699     no            50%  Good

OFFER  MONTHS      A       B  FROM         TO  PROMOTION
year       12  9.99%  19.99%     -          -
free        6     0%       -     -  $2,000.00  2026-11-01 to 2026-11-30, merchant pays 3.50%

No loans in: CT, WV, WI
State caps: AR 17.00%
Late payment: NY $5.00
Minimum age: AL 19
License in CA: License 603-1234, regulated by the DFPI
Notice in NY (advertisement): A notice for you.`);
    });

    it('shows the fees of a program', async () => {
      const fees = [{ id: 'orig', kind: 'origination', amountBps: 100, maxCents: 2_500, financeCharge: true, financed: true }];
      await importFile({ ...minimal, fees });
      const { stdout } = await show('campaign');
      expect(stdout.join(' ')).toContain('origination fee (orig): 1.00%, at most $25.00; financed, in the finance charge');
    });

    it('omits optional terms that a program does not have', async () => {
      const { id, name, version, amount, tiers, offers } = standardProgram;
      await importFile({ id: `${id}-minimal`, name, version, lender: { name: 'Fairterm Lending' }, amount, tiers, offers });
      const { stdout } = await show('standard-minimal');
      expect(stdout.join('\n')).toBe(`Standard (standard-minimal), version 1, sold from 2000-01-01 to no end
Lender:        Fairterm Lending
Credit:        loan, USD
Purchases:     $50.00 to $30,000.00
Down payment:  none
Payments:      monthly, rounded half-up, the first after 1 month
Caps:          APR at most 35.99%, military APR at most 36.00%
Late payment:  no charge

TIER  CREDIT SCORES  ADVERTISED  SHARE  LABEL
A     740 to 850     yes                Very good credit
B     660 to 739     no                 Good credit
C     580 to 659     no                 Fair credit

OFFER        MONTHS      A       B       C
standard-6        6  5.99%  14.99%  24.99%
standard-12      12  7.99%  16.99%  27.99%
standard-24      24  9.99%  19.99%  29.99%

No loans in: WI`);
    });

    it.each([
      [[], 2],
      [['--version', '1'], 1],
      [['--version', '4'], 4],
      [['--on', '2026-12-31'], 2],
      [['--on', '2027-01-01'], 4],
    ])('with the options %j shows version %i', async (args, version) => {
      await importFile(minimal);
      await importFile({ ...minimal, version: 2 });
      await importFile({ ...minimal, version: 4, effective: { from: '2027-01-01' } });
      const { stdout } = await show('campaign', '--json', ...args);
      expect(JSON.parse(stdout[0]!)).toMatchObject({ version });
    });

    it.each<[args: string[], code: number, message: string]>([
      [[], 2, 'expected CODE'],
      [['campaign', 'other'], 2, 'expected one CODE, but received 2'],
      [['campaign', '--version', '1', '--on', '2026-11-21'], 2, 'expected --version or --on, but received both'],
      [['none'], 1, 'but received "none"'],
      [['campaign', '--version', '9'], 1, '"campaign" has no version 9; its versions: 1'],
      [['campaign', '--version', 'one'], 1, '"campaign" has no version one; its versions: 1'],
      [['campaign', '--on', '1999-12-31'], 1, '"campaign" has no version that is sold on 1999-12-31; its versions: 1'],
      [['campaign', '--on', 'today'], 1, '--on: expected a date such as 2026-11-21, but received "today"'],
    ])('rejects the arguments %j', async (args, code, message) => {
      await importFile(minimal);
      const result = await show(...args);
      expect([result.code, result.stdout]).toEqual([code, []]);
      expect(result.stderr[0]).toContain(message);
    });
  });
});
