import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenAnswers, neverGiven } from '../support/openapi-coverage.mjs';

const refusal = (...codes) => ({ content: { 'application/json': { schema: { properties: { code: { enum: codes } } } } } });
const document = {
  paths: {
    '/carts': {
      post: { operationId: 'createCart', responses: { 200: {}, 409: refusal('in-use'), 422: refusal('in-use', 'reused') } },
    },
    '/healthz': { get: { operationId: 'isAlive', responses: { 200: {} } } },
  },
};

test('names every answer that no test was given', () => {
  expect(neverGiven(document, new Set(['createCart 200']), [])).toEqual(['createCart 409', 'createCart 422', 'isAlive 200']);
  expect(neverGiven(document, new Set(['createCart 200', 'createCart 409', 'createCart 422', 'isAlive 200']), [])).toEqual([]);
});

test('asks for no refusal that has none but reasons out of reach', () => {
  expect(neverGiven(document, new Set(['createCart 200', 'isAlive 200']), ['in-use'])).toEqual(['createCart 422']);
  const platform = { content: { 'application/json': { schema: { properties: { reason: { enum: ['IN_USE'] } } } } } };
  const list = { paths: { '/api/application': { get: { operationId: 'list', responses: { 409: platform } } } } };
  expect([neverGiven(list, new Set(), ['IN_USE']), neverGiven(list, new Set(), [])]).toEqual([[], ['list 409']]);
});

test('reads what every process wrote', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  writeFileSync(join(folder, '1.txt'), 'sandbox createCart 200\nlive createCart 200\n');
  writeFileSync(join(folder, '2.txt'), 'sandbox isAlive 200\n');
  expect([...givenAnswers(folder)]).toEqual(['createCart 200', 'isAlive 200']);
  rmSync(folder, { recursive: true });
});
