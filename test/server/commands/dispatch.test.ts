import { describe, expect, it } from 'vitest';
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
    expect(stdout.at(-1)).toContain('/docs/operations');
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
});
