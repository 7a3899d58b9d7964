import { describe, expect, it } from 'vitest';
import { fairterm } from './fairterm.ts';

describe('The operator’s commands', () => {
  it('are found by the words of their list', async () => {
    const { answers } = await fairterm(['help']);
    expect(answers.length).toBeGreaterThan(20);
    for (const listed of answers) {
      const words = /^ {2}fairterm ([a-z-]+(?: [a-z-]+)?)/.exec(listed)![1]!.split(' ');
      expect(await fairterm([...words, '--help'])).toEqual({ code: 0, answers: [listed], remarks: [] });
    }
  });
});
