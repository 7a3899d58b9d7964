import { hostname } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { fetchAnswer, startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

describe('The line of a request', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });

  /** The line of the request that `ask` makes. */
  const lineOf = async (path: string, init?: RequestInit) => {
    const { headers } = await fetchAnswer(service.publicUrl + path, init);
    const requestId = headers.get('x-request-id')!;
    return until(() => service.logged.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId));
  };

  it('has the id, method, route, status and duration of the request', async () => {
    const { time, durationMs, requestId: _requestId, ...rest } = await lineOf('/healthz');
    expect(rest).toEqual({ level: 30, pid: process.pid, hostname: hostname(), method: 'GET', route: '/healthz', status: 200 });
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['/c/abcdefghijklmnopqrstuv', 'GET', '/c/:code', 404],
    ['/transactions/abc?secret=1', 'GET', 'other', 401],
    ['/nowhere/secret', 'DELETE', 'other', 404],
    ['/carts/%22%5c', 'PATCH', 'other', 401],
  ])('of %s contains only the pattern of the route', async (path, method, route, status) => {
    expect(await lineOf(path, { method })).toMatchObject({ method, route: expect.stringContaining(route), status });
    expect(service.logged.join('')).not.toMatch(/secret|abcdefghijklmnopqrstuv|%22/);
  });

  it('is logged for each of many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetchAnswer(`${service.publicUrl}/healthz`)));
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(50);
    await until(() => ids.every((id) => service.logged.some((line) => line.includes(id!))));
  });
});
