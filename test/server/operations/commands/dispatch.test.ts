import { createDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../../../server/base/package-version.ts';
import { fairterm } from './fairterm.ts';

describe('The operator’s commands', () => {
  it('have the usage that `fairterm help` lists', async () => {
    const { stdout } = await fairterm(['help']);
    expect(stdout.length).toBeGreaterThan(20);
    for (const usage of stdout) {
      const words = /^ {2}fairterm ([a-z-]+(?: [a-z-]+)?)/.exec(usage)![1]!.split(' ');
      const help = await fairterm([...words, '--help']);
      expect(help).toMatchObject({ code: 0, stderr: [] });
      expect(help.stdout[0]).toBe(usage);
    }
  });

  it('include `serve`, whose help lists its most important variables and where the others are', async () => {
    const { stdout } = await fairterm(['serve', '--help']);
    for (const name of ['MODE', 'DATABASE_URL', 'DATA_KEYS', 'PUBLIC_URL', 'TRUST_PROXY', 'LENDER_URL', 'SMTP_URL']) {
      expect(stdout.join('\n')).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
    }
    expect(stdout.at(-2)).toContain('/docs/settings');
  });

  it.each([
    [['buyer', 'export', '--help']],
    [['--help', 'buyer', 'export']],
    [['help', 'buyer', 'export']],
    [['buyer', '-h', 'export', '--email', 'ada@example.com']],
  ])('print the help of one command for %j', async (args) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stdout.length, stderr]).toEqual([0, 2, []]);
    expect(stdout[0]).toMatch(/^ {2}fairterm buyer export /);
    expect(stdout[1]).toContain('--env FILE');
  });

  it.each([[['key', '--help']], [['help', 'key']]])('print the commands of one group for %j', async (args) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stderr]).toEqual([0, []]);
    expect(stdout.map((line) => line.split(' ').slice(3, 5).join(' '))).toEqual(['key rotate', 'key list', 'key retire']);
  });

  it('print the version of the package', async () => {
    expect(await fairterm(['--version'])).toEqual({ code: 0, stdout: [packageVersion()], stderr: [] });
  });

  it.each([
    [['buyer', 'exprot'], 'Unknown command "buyer exprot": did you mean buyer export?'],
    [['buyers', 'export', '--json'], 'Unknown command "buyers export": did you mean buyer export?'],
    [['export'], 'Unknown command "export": did you mean buyer export?'],
    [['sreve'], 'Unknown command "sreve": did you mean serve?'],
    [['help', 'sevre'], 'Unknown command "sevre": did you mean serve?'],
    [['settlement', 'imports', 'FILE'], 'Unknown command "settlement imports": did you mean settlements import?'],
    [['retire'], 'Unknown command "retire": did you mean key retire or callback-secret retire or signing-key retire?'],
    [['list'], 'Unknown command "list"'],
    [['nonsense', 'words'], 'Unknown command "nonsense words"'],
    [['x'.repeat(50_000)], `Unknown command "${'x'.repeat(50_000)}"`],
  ])('name an unknown command and what may have been meant: %j', async (args, expected) => {
    const { code, stdout, stderr } = await fairterm(args);
    expect([code, stdout, stderr[0]]).toEqual([2, [], expected]);
    expect(stderr[1]).toMatch(/^Expected one of:\n {2}fairterm /);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a fault of the program with its stack',
      new TypeError('x is not a function'),
      /^fairterm data-key create: x is not a function\n +at /,
    ],
    ['a database error with its stack', Object.assign(new Error('no such column'), { name: 'SqliteError' }), /column\n +at /],
    [
      'an error for the operator without its stack',
      new Error('PORT: expected a port'),
      /^fairterm data-key create: PORT: expected a port$/,
    ],
    ['a refused connection without its stack', new AggregateError([], ''), /^fairterm data-key create: ECONNREFUSED$/],
    ['null', null, /^fairterm data-key create: null$/],
  ])('print %s', async (_title, thrown, expected) => {
    if (thrown instanceof AggregateError) Object.assign(thrown, { code: 'ECONNREFUSED' });
    const clock = {
      now: () => {
        throw thrown;
      },
    };
    const { code, stdout, stderr } = await fairterm(['data-key', 'create'], { clock });
    expect([code, stdout, stderr]).toEqual([1, [], [expect.stringMatching(expected)]]);
  });

  describeOnEveryEngine('show their progress', (engine) => {
    it('until they end, with the count of what is done if the database does it in steps', async () => {
      const databaseUrl = await createDatabaseUrl(engine);
      for (const [name, title, hasCount] of [
        ['migrate', 'Migrating', false],
        ['vacuum', 'Rewriting the tables', engine === 'postgres'],
      ] as const) {
        const progress: string[] = [];
        expect((await fairterm([name], { databaseUrl, progress })).code).toBe(0);
        expect([progress[0], progress.at(-1)]).toEqual([`0:00, ${title}`, '']);
        const counts = progress.flatMap((line) => /^(\d+) of (\d+), [\d,.]+\/s, \d+:\d\d, /.exec(line)?.slice(1, 3) ?? []);
        expect(counts.length > 0).toBe(hasCount);
        // All of them are done at the end.
        expect(counts.at(-1)).toBe(counts.at(-2));
      }
    });
  });
});
