import { describe, expect, it } from 'vitest';
import { fairterm } from './fairterm.ts';

describe('The operator’s commands', () => {
  it('are found by the words of their list', async () => {
    const { stdout } = await fairterm(['help']);
    expect(stdout.length).toBeGreaterThan(20);
    for (const listed of stdout) {
      const words = /^ {2}fairterm ([a-z-]+(?: [a-z-]+)?)/.exec(listed)![1]!.split(' ');
      expect(await fairterm([...words, '--help'])).toEqual({ code: 0, stdout: [listed], stderr: [] });
    }
  });
});
