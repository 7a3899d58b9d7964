import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { openApiDocument } from '../../../server/openapi/document.ts';
import { type Json, newAjv } from '../../support/conformance.ts';
import { isOnPath } from '../../support/system-packages.mjs';
import { documentedPatterns, samples, verdictsOf } from '../../support/patterns.ts';

const patterns = documentedPatterns();

describe('The patterns of the document', () => {
  it('mean the same in JavaScript with and without the `u` flag', () => {
    expect(verdictsOf(patterns, 'u')).toEqual(verdictsOf(patterns));
  });

  it.skipIf(!isOnPath('python3'))('mean the same in Python, which reports no ambiguous syntax', () => {
    const program = `
import json, re, sys, warnings
warnings.simplefilter('error')
patterns, samples = json.load(sys.stdin)
print(json.dumps([[bool(re.search(pattern, sample)) for sample in samples] for pattern in patterns]))`;
    const stdout = execFileSync('python3', ['-c', program], { input: JSON.stringify([patterns, samples]), encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(verdictsOf(patterns));
  });

  it('each accept a sample, and together reject every sample', () => {
    const verdicts = verdictsOf(patterns);
    expect(patterns.filter((_, at) => !verdicts[at]!.includes(true))).toEqual([]);
    expect(samples.filter((_, at) => verdicts.every((ofPattern) => ofPattern[at]))).toEqual([]);
  });
});

const document: Json = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
const operations = [...Object.values<Json>(document.paths), ...Object.values<Json>(document.webhooks)].flatMap((item) =>
  Object.values<Json>(item),
);

/** Every example of the document with its schema. */
const examples: [name: string, schema: Json, value: unknown][] = operations.flatMap(
  ({ operationId, parameters = [], requestBody, responses }) => {
    const resolved: Json[] = parameters.map(({ $ref, ...own }: Json) =>
      $ref ? document.components.parameters[$ref.split('/').at(-1)] : own,
    );
    const contents: Json[] = [requestBody, ...Object.values<Json>(responses)].flatMap((one) => Object.values(one?.content ?? {}));
    const values = contents.flatMap(({ schema, example, examples: several = {} }) =>
      [example, ...Object.values<Json>(several).map(({ value }) => value)].map((value) => [schema, value]),
    );
    return [...resolved.map(({ schema, example }) => [schema, example]), ...values].flatMap(([schema, value], at) =>
      value === undefined ? [] : [[`${operationId} ${at}`, schema, value] as [string, Json, unknown]],
    );
  },
);

test.each([true, false])('every example of the document is valid if patterns have the `u` flag: %s', (unicodeRegExp) => {
  const invalid = examples.filter(([, schema, value]) => {
    const validate = newAjv({ unicodeRegExp }).compile({ ...schema, components: document.components });
    return !validate(Array.isArray(value) || schema.type !== 'array' ? value : [value]);
  });
  expect(invalid.map(([name]) => name)).toEqual([]);
  expect(examples.length).toBeGreaterThan(30);
});
