import { expect, it } from 'vitest';
import { errorLogFields, ServiceError } from '../../../server/base/errors.ts';

it.each([
  ['a service error', new ServiceError('changed-meanwhile', 'ada@example.com\n    at home'), 'changed-meanwhile'],
  ['an error of a driver', Object.assign(new Error('ada@example.com\n    at home'), { code: '40001' }), '40001'],
  ['an error without a code', new Error('ada@example.com\n    at home'), undefined],
])('errorLogFields returns the name, code and stack frames without the message of %s', (_title, thrown, code) => {
  const logged = errorLogFields(thrown);

  expect(logged).toEqual({
    error: thrown.name,
    code,
    stack: expect.arrayContaining([expect.stringContaining('errors.test.ts')]),
  });
  expect(JSON.stringify(logged)).not.toMatch(/ada@example|at home/);
});

it.each([
  [null, 'object'],
  [undefined, 'undefined'],
  ['ada@example.com', 'string'],
])('errorLogFields returns only the type of %j, which is not an error', (thrown, type) => {
  expect(errorLogFields(thrown)).toEqual({ error: type, code: undefined, stack: [] });
});
