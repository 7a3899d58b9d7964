import { expect, it } from 'vitest';
import { ServiceError } from '../../server/errors.ts';
import { faultOf } from '../../server/faults.ts';

it.each([
  [
    'a service error without a response to send it in',
    new ServiceError('changed-meanwhile', 'ada@example.com\n    at home'),
    'changed-meanwhile',
  ],
  ['what a driver throws', Object.assign(new Error('ada@example.com\n    at home'), { code: '40001' }), '40001'],
  ['what has no name', new Error('ada@example.com\n    at home'), undefined],
])('A fault is logged by its name and place, and without its words: %s', (_what, thrown, code) => {
  const logged = faultOf(thrown);

  expect(logged).toEqual({
    fault: thrown.name,
    code,
    frames: expect.arrayContaining([expect.stringContaining('faults.test.ts')]),
  });
  expect(JSON.stringify(logged)).not.toMatch(/ada@example|at home/);
});
