import { describe, expect, it } from 'vitest';
import { fairterm } from './fairterm.ts';

describe('The operator’s commands', () => {
  it('have the usage that `fairterm help` lists', async () => {
    const { stdout } = await fairterm(['help']);
    expect(stdout.length).toBeGreaterThan(20);
    for (const usage of stdout) {
      const words = /^ {2}fairterm ([a-z-]+(?: [a-z-]+)?)/.exec(usage)![1]!.split(' ');
      expect(await fairterm([...words, '--help'])).toEqual({ code: 0, stdout: [usage], stderr: [] });
    }
  });
});
