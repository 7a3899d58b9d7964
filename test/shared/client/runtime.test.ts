import { describe, expect, it } from 'vitest';
import { defaultRuntime } from '../../../shared/client/options.ts';

describe('The default runtime', () => {
  it('waits for the given time', async () => {
    const startedAt = performance.now();

    await defaultRuntime.wait(30);

    // A timer may fire a millisecond early by this clock.
    expect(performance.now() - startedAt).toBeGreaterThan(28);
  });

  it('stops waiting if the signal is aborted', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = timers();
    const controller = new AbortController();
    const waiting = defaultRuntime.wait(1_000_000, controller.signal);

    controller.abort(new Error('Enough'));

    // No timer is left that would keep the process alive.
    expect(timers()).toBe(timersBefore);
    await expect(waiting).rejects.toThrow('Enough');
  });

  it('does not wait if the signal is already aborted', async () => {
    await expect(defaultRuntime.wait(1_000_000, AbortSignal.abort(new Error('Before')))).rejects.toThrow('Before');
  });

  it('provides random numbers from 0 to 1, a clock and unique keys', () => {
    const numbers = Array.from({ length: 100 }, () => defaultRuntime.random());
    expect(numbers.every((chance) => chance >= 0 && chance < 1)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(90);
    const beforeMs = Date.now();
    const nowMs = defaultRuntime.now();
    expect(nowMs).toBeGreaterThanOrEqual(beforeMs);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
    expect(defaultRuntime.newIdempotencyKey()).not.toBe(defaultRuntime.newIdempotencyKey());
  });
});
