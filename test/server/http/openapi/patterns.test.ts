import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { openApiDocument } from '../../../../server/http/openapi/document.ts';
import { type Json, newAjv } from '../../../support/conformance.ts';
import { isOnPath } from '../../../support/system-packages.mjs';
import { documentedPatterns, samples, verdictsOf } from './patterns.ts';

const patterns = documentedPatterns();

describe('The patterns of the OpenAPI document', () => {
  it('match the same samples in JavaScript with and without the `u` flag', () => {
    expect(verdictsOf(patterns, 'u')).toEqual(verdictsOf(patterns));
  });

  it.skipIf(!isOnPath('python3'))('match the same samples in Python, without a syntax warning', () => {
    const program = `
import json, re, sys, warnings
warnings.simplefilter('error')
patterns, samples = json.load(sys.stdin)
print(json.dumps([[bool(re.search(pattern, sample)) for sample in samples] for pattern in patterns]))`;
    const stdout = execFileSync('python3', ['-c', program], { input: JSON.stringify([patterns, samples]), encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(verdictsOf(patterns));
  });

  it('each match at least one sample, and each sample is rejected by at least one pattern', () => {
    const matches = verdictsOf(patterns);
    expect(patterns.filter((_, index) => !matches[index]!.includes(true))).toEqual([]);
    expect(samples.filter((_, index) => matches.every((patternMatches) => patternMatches[index]))).toEqual([]);
  });
});

const document: Json = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
const operations = [...Object.values<Json>(document.paths), ...Object.values<Json>(document.webhooks)].flatMap((item) =>
  Object.values<Json>(item),
);

/** All examples of the document with their schemas. */
const examples: [name: string, schema: Json, value: unknown][] = operations.flatMap(
  ({ operationId, parameters = [], requestBody, responses }) => {
    const resolved: Json[] = parameters.map(({ $ref, ...inline }: Json) =>
      $ref ? document.components.parameters[$ref.split('/').at(-1)] : inline,
    );
    const contents: Json[] = [requestBody, ...Object.values<Json>(responses)].flatMap((message) =>
      Object.values(message?.content ?? {}),
    );
    const values = contents.flatMap(({ schema, example, examples: namedExamples = {} }) =>
      [example, ...Object.values<Json>(namedExamples).map(({ value }) => value)].map((value) => [schema, value]),
    );
    return [...resolved.map(({ schema, example }) => [schema, example]), ...values].flatMap(([schema, value], at) =>
      value === undefined ? [] : [[`${operationId} ${at}`, schema, value] as [string, Json, unknown]],
    );
  },
);

test.each([true, false])('All examples of the OpenAPI document are valid if patterns have the `u` flag: %s', (unicodeRegExp) => {
  const ajv = newAjv({ unicodeRegExp });
  for (const [name, schema] of Object.entries<Json>(document.components.schemas))
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  const invalid = examples.filter(([, schema, value]) => {
    const validate = ajv.compile(schema);
    return !validate(Array.isArray(value) || schema.type !== 'array' ? value : [value]);
  });
  expect(invalid.map(([name]) => name)).toEqual([]);
  expect(examples.length).toBeGreaterThan(30);
});
