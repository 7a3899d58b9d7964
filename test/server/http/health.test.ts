import Koa from 'koa';
import { expect, it, vi } from 'vitest';
import { healthRoutes } from '../../../server/http/health.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { listen } from '../../support/http.ts';
import { until } from '../../support/time.ts';

it('The readiness check queries the database once for requests at the same time, and again after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onCleanup(() => void vi.useRealTimers());
  const checks: ((isMigrated: boolean) => void)[] = [];
  const isMigrated = () => new Promise<boolean>((resolve) => checks.push(resolve));
  const isWritable = async () => true;
  const app = new Koa().use(healthRoutes({ isMigrated, isWritable }).middleware());
  const handle = app.callback();
  let received = 0;
  const { url, stop } = await listen((request, response) => {
    received += 1;
    void handle(request, response);
  });
  onCleanup(stop);
  const readStatus = async () => (await fetch(`${url}/readyz`)).status;

  const first = Promise.all([readStatus(), readStatus(), readStatus()]);
  await until(() => received === 3);
  expect(checks.length).toBe(1);
  checks[0]!(true);
  expect(await first).toEqual([200, 200, 200]);
  expect(await readStatus()).toBe(200);
  expect(checks.length).toBe(1);

  vi.advanceTimersByTime(1_000);
  const next = readStatus();
  await until(() => checks.length === 2);
  checks[1]!(false);
  expect(await next).toBe(503);
});
