import { standardProgram } from '../../../../server/lending/programs/standard-program.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'superstruct';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database } from '../../../../server/db/database.ts';
import { programSchema } from '../../../../server/http/openapi/program-schema.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { checkLive as checkRules, liveRules } from '../../../../server/lending/programs/live.ts';
import { Program } from '../../../../shared/programs/program.ts';
import { createMigratedDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { liveProgram, liveProgramReviewedOn } from '../../../support/live-program.ts';
import { PICTURES } from '../../../support/pictures.ts';
import { startPrivacyNotice } from '../../../support/privacy-notice.ts';
import { createProgram } from '../../../support/programs.ts';
import { freePort } from '../../../support/network.mjs';
import { fairterm, fairtermJson, now } from './fairterm.ts';

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

const withDefaults = create(minimal, Program);

const notice = await startPrivacyNotice();
const { url, sha256 } = notice;
/** Its privacy notice can be fetched. */
const importable: Program = { ...liveProgram, lender: { ...liveProgram.lender, privacyNotice: { url, sha256 } } };

const withNotice = (privacyNotice: typeof importable.lender.privacyNotice): Program => ({
  ...importable,
  lender: { ...importable.lender, privacyNotice },
});

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
    databaseUrl = await createMigratedDatabaseUrl();
    database = openTestDatabase(databaseUrl);
  });
  beforeEach(async () => {
    const created = [];
    for (const name of ['Acme', 'Beta']) {
      created.push(await createMerchant(database, 'sandbox', { name, storeUrl: 'https://shop.example/', origins: [] }, now));
    }
    merchants = created.map(({ merchantId }) => merchantId);
    // The certificate of the privacy notice is self-signed.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    notice.requests = 0;
  });
  afterEach(() => void vi.unstubAllEnvs());
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
  const listPrograms = () => fairtermJson(['program', 'list', '--merchant', merchants[0]!], { databaseUrl });

  describe('fairterm program schema', () => {
    it('prints the JSON Schema of programs without a database', async () => {
      const { code, stdout } = await fairterm(['program', 'schema']);
      expect([code, JSON.parse(stdout[0]!)]).toEqual([0, JSON.parse(JSON.stringify(programSchema(standardProgram)))]);
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
      const { code, stdout } = await checkLive(importable);
      expect(code).toBe(0);
      const { errors, requirements } = JSON.parse(stdout[0]!);
      expect(errors).toEqual([]);
      expect(requirements).toEqual(
        liveRules.map(({ expected, citation, path }) => ({ requirement: expected, citation, path, passed: true, failedAt: [] })),
      );
    });

    it('prints every requirement with its citation, whether the program meets it, and where it does not', async () => {
      const file = createFile({ ...importable, currency: 'CAD' });
      const { code, stdout, stderr } = await fairterm(['program', 'check', file, '--live'], { databaseUrl: 'sqlite:none.db' });
      expect([code, stderr[0]]).toEqual([1, expect.stringMatching(/^error: currency: Expected US dollars/)]);
      const text = stdout.join('\n');
      expect(text.match(/^passed /gm)).toHaveLength(liveRules.length - 1);
      expect(text).toContain(
        'FAILED  US dollars, in which the disclosures are made.\n        12 CFR 1026.18; currency\n        currency\n',
      );
    });

    it('rejects for live mode what `program import` rejects there: a down payment without a card gateway', async () => {
      const withDownPayment = { ...importable, downPayment: { percentBps: 1_000 } };
      const { code, stdout, stderr } = await checkLive(withDownPayment, {});
      const [path, message] = ['downPayment', expect.stringMatching(/CARD_STRIPE_KEY.*, but received \{"percentBps":1000/)];
      const { errors, warnings } = JSON.parse(stdout[0]!);
      expect([code, errors, stderr[0]]).toEqual([
        1,
        [{ path, message }],
        expect.stringContaining('error: downPayment: Expected'),
      ]);
      const imported = await fairterm(['program', 'import', createFile(withDownPayment), '--merchant', 'm', '--json'], {
        databaseUrl: 'sqlite:none.db',
        env: { MODE: 'live' },
      });
      expect([imported.code, JSON.parse(imported.stdout[0]!)]).toEqual([1, { errors, warnings }]);
    });

    it('fetches the privacy notice once for live mode, and compares its hash', async () => {
      expect((await checkLive(importable)).code).toBe(0);
      expect(notice.requests).toBe(1);
      const { code, stdout } = await checkLive(withNotice({ url, sha256: '0'.repeat(64) }));
      const message = expect.stringContaining(`for a document with ${sha256}`);
      expect([code, JSON.parse(stdout[0]!).errors]).toEqual([1, [{ path: 'lender.privacyNotice.sha256', message }]]);
      const missing = await checkLive(withNotice({ url: `https://127.0.0.1:${await freePort()}/`, sha256 }));
      expect(JSON.parse(missing.stdout[0]!).errors).toMatchObject([
        { path: 'lender.privacyNotice.url', message: expect.stringContaining('no document: ECONNREFUSED') },
      ]);
    });

    it('fetches nothing from an address that is rejected, and nothing without --live', async () => {
      const rejected = await checkLive(withNotice({ url: url.replace('https:', 'http:'), sha256 }));
      expect(JSON.parse(rejected.stdout[0]!).errors).toMatchObject([{ path: 'lender.privacyNotice.url' }]);
      expect((await check(importable)).code).toBe(0);
      expect(notice.requests).toBe(0);
    });

    it('lists all problems at once and each once: of loans, content and variables', async () => {
      const [tier, ...others] = importable.tiers;
      const faulty = {
        ...liveProgramReviewedOn('2026-11-22'),
        lender: importable.lender,
        tiers: [{ ...tier!, representativeShare: 0.02 }, ...others],
        caps: { ...importable.caps, maxAprBps: 1_000 },
        counselReasons: { apr: 'A bank of Utah.' },
      };
      const env = { MODE: 'live', MAIL_FROM: 'a@b.example', SMTP_URL: 'smtp://127.0.0.1', MESSAGE_RETENTION_DAYS: '89' };
      const { stdout } = await checkLive(faulty, env);
      const { errors, warnings } = JSON.parse(stdout[0]!) as Record<string, { path: string; message: string }[]>;
      expect(errors!.map(({ path }) => path).filter((path) => !path.startsWith('offers.'))).toEqual([
        'states.reviews.0.on',
        'tiers.0.representativeShare',
        '',
        '',
      ]);
      expect(errors).toContainEqual({ path: 'offers.0.tierAprBps.B', message: expect.stringContaining('caps.maxAprBps') });
      expect(errors!.slice(-2).map(({ message }) => message.split(':')[0])).toEqual(['MAIL_FROM', 'MESSAGE_RETENTION_DAYS']);
      expect(new Set(errors!.map((error) => JSON.stringify(error))).size).toBe(errors!.length);
      expect(warnings!.map(({ path }) => path)).toEqual(['caps.stateAprCapBps.AR']);
    });

    it('rejects a PNG logo that is not complete, because every checkout page contains it', async () => {
      const withLogo = (png: Buffer) => {
        const logo = `data:image/png;base64,${png.toString('base64')}`;
        return check({ ...minimal, lender: { ...minimal.lender, logo } }, '--json');
      };
      expect(await withLogo(PICTURES.png)).toMatchObject({ code: 0 });
      expect(await withLogo(PICTURES.png.subarray(0, -1))).toMatchObject({
        code: 1,
        stderr: [expect.stringMatching(/^error: lender.logo: Expected a complete PNG picture/)],
      });
    });

    it('lists every field that live mode requires, with the citation', async () => {
      const { code, stdout, stderr } = await checkLive(minimal);
      expect(code).toBe(1);
      expect(stderr).toContainEqual(
        'error: lender.regulator: Expected the federal agency that an adverse action notice names (12 CFR 1002.9(b)(1)), but received nothing',
      );
      const expected = checkRules(withDefaults, { hasCards: true, today: '2026-11-21' }).flatMap(({ problems }) => problems);
      expect(JSON.parse(stdout[0]!)).toMatchObject({ errors: expected, warnings: [] });
      expect(stderr).toHaveLength(expected.length);
    });
  });

  describe('fairterm program import in live mode', () => {
    const live = { MODE: 'live', PUBLIC_URL: 'https://pay.example', TRUST_PROXY: '1' };
    let liveUrl: string;
    beforeAll(async () => {
      liveUrl = await createMigratedDatabaseUrl();
    });
    const run = (...args: string[]) => fairterm(args, { databaseUrl: liveUrl, env: live });
    const createLiveMerchant = async (): Promise<string> => {
      const args = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example'];
      return (await fairtermJson(args, { databaseUrl: liveUrl, env: live })).merchantId;
    };

    it('rejects a program that lacks a required field, and lists what is missing', async () => {
      const merchantId = await createLiveMerchant();
      const result = await run('program', 'import', createFile(minimal), '--merchant', merchantId);
      expect([result.code, result.stdout, result.stderr.at(-1)]).toEqual([1, [], 'Nothing was imported.']);
      expect(result.stderr).toContainEqual(expect.stringContaining('error: lender.address: Expected'));
      const { stdout } = await run('program', 'list', '--merchant', merchantId);
      expect(stdout.join()).not.toContain('campaign');
    });

    it('rejects a program whose sign-off is too old or whose privacy notice has changed, but withdraws one', async () => {
      const merchantId = await createLiveMerchant();
      const importLive = (content: object) => run('program', 'import', createFile(content), '--merchant', merchantId);
      const { states } = liveProgramReviewedOn('2024-11-20');
      const changed = withNotice({ url, sha256: '0'.repeat(64) });
      const rejected = await importLive({ ...changed, states });
      expect(rejected.stderr.filter((line) => !line.startsWith('warning: '))).toEqual([
        expect.stringMatching(/^error: states.reviews.0.on: /),
        expect.stringMatching(/^error: lender.privacyNotice.sha256: /),
        'Nothing was imported.',
      ]);
      expect(await importLive(importable)).toMatchObject({ code: 0 });
      expect(await importLive({ ...changed, states, version: 2, status: 'retired' })).toMatchObject({ code: 0 });
    });

    it('adds a complete program, which a new merchant needs, because the standard program is not sold', async () => {
      const merchantId = await createLiveMerchant();
      const list = ['program', 'list', '--merchant', merchantId];
      const listed = () => fairtermJson(list, { databaseUrl: liveUrl, env: live });
      expect(await listed()).toMatchObject([{ program: 'standard', isDefault: true, current: null, waiting: [] }]);
      const file = createFile(importable);
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
        stdout: [
          expect.stringMatching(
            /^Added campaign, version 1, merchant [0-9a-f-]{36}, program [0-9a-f-]{36}, sold only in carts that name it$/,
          ),
        ],
        stderr: [],
      });
      const { stdout } = await program('show', 'campaign', '--merchant', merchants[0]!, '--json');
      expect(JSON.parse(stdout[0]!)).toEqual(withDefaults);
    });

    it('says that a program is the default', async () => {
      for (const outcome of [/^Added/, /^Already imported:/]) {
        const { stdout } = await importFile(minimal, '--default');
        expect(stdout).toEqual([expect.stringMatching(outcome)]);
        expect(stdout[0]).toMatch(/, the default program$/);
      }
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

    it('counts the merchants that have it', async () => {
      const progress: string[] = [];
      const args = ['program', 'import', createFile(minimal), ...merchants.flatMap((id) => ['--merchant', id])];
      expect((await fairterm(args, { databaseUrl, progress })).code).toBe(0);
      expect(progress).toContainEqual(expect.stringMatching(/^2 of 2, [\d,.]+\/s, \d+:\d\d, Importing for merchants$/));
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
    ])('rejects %s for all merchants', async (_title, content, args, message) => {
      await importFile(minimal);
      await importFile({ ...minimal, id: 'later', version: 2 });
      const before = await storedVersions();

      const result = await importFile(content(), '--merchant', merchants[1]!, ...args);

      expect([result.code, result.stdout]).toEqual([1, []]);
      expect(result.stderr.at(-1)).toContain(message);
      expect(await storedVersions()).toEqual(before);
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
  });

  describe('fairterm program show', () => {
    const show = (...args: string[]) => program('show', ...args, '--merchant', merchants[0]!);

    it('prints a program with its defaults as JSON that can be imported', async () => {
      await importFile(minimal);
      const { stdout } = await show('campaign');
      const again = await importFile(stdout.join('\n'));
      expect(stdout[0]).toContain('{\n  "id": "campaign",\n');
      expect(JSON.parse(stdout[0]!)).toEqual(withDefaults);
      expect(again.stdout[0]).toMatch(/^Already imported: campaign, version 1/);
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
  });
});
