import { expect, it } from 'vitest';
import { errorLogFields, ServiceError } from '../../server/errors.ts';

it.each([
  [
    'a service error without a response to send it in',
    new ServiceError('changed-meanwhile', 'ada@example.com\n    at home'),
    'changed-meanwhile',
  ],
  ['what a driver throws', Object.assign(new Error('ada@example.com\n    at home'), { code: '40001' }), '40001'],
  ['what has no name', new Error('ada@example.com\n    at home'), undefined],
])('logs the name and stack frames of an error without its message: %s', (_what, thrown, code) => {
  const logged = errorLogFields(thrown);

  expect(logged).toEqual({
    error: thrown.name,
    code,
    stack: expect.arrayContaining([expect.stringContaining('errors.test.ts')]),
  });
  expect(JSON.stringify(logged)).not.toMatch(/ada@example|at home/);
});
