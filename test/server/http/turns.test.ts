import { expect, it } from 'vitest';
import type { Context } from '../../../server/http/context.ts';
import { startInTurns } from '../../../server/http/turns.ts';

const contextOf = (req: object = {}) => ({ req }) as unknown as Context;

const block = (ms: number) => {
  for (const endsAtMs = performance.now() + ms; performance.now() < endsAtMs;);
};

it('Requests that arrive together start in their order, and the process does other work in between', async () => {
  const middleware = startInTurns();
  const started: number[] = [];
  let turns = 0;
  let isFinished = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isFinished) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const requests = Array.from({ length: 5 }, (_, index) =>
    middleware(contextOf(), async () => {
      started.push(index);
      // Longer than requests are started in one turn.
      block(25);
    }),
  );
  await Promise.all(requests);
  isFinished = true;
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(turns).toBeGreaterThanOrEqual(5);
});

it('A request starts after one that failed', async () => {
  const middleware = startInTurns();
  const failed = middleware(contextOf(), () => Promise.reject(new Error('failed')));
  const second = middleware(contextOf(), () => Promise.resolve());
  await expect(failed).rejects.toThrow('failed');
  await second;
});

it('A request whose client has disconnected does not start', async () => {
  await startInTurns()(contextOf({ destroyed: true }), () => Promise.reject(new Error('started')));
});
