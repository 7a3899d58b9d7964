import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { documentedPatterns, samples, verdictsOf } from '../../server/http/openapi/patterns.ts';

const program = fileURLToPath(new URL('Patterns.java', import.meta.url));
const encode = (strings: readonly string[]) => strings.map((text) => Buffer.from(text).toString('base64')).join(' ');

it('The patterns of the OpenAPI document accept the same samples in Java (needs `java` 17 or later)', () => {
  const patterns = documentedPatterns();
  const input = `${encode(patterns)}\n${encode(samples)}\n`;
  const stdout = execFileSync('java', [program], { input, encoding: 'utf8' });
  const verdicts = verdictsOf(patterns).map((ofPattern) => ofPattern.map(Number).join(''));
  expect(stdout.trim().split('\n')).toEqual(verdicts);
});
