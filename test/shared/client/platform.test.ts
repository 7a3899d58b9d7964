import { describe, expect, it } from 'vitest';
import { ownPlatform } from '../../../shared/client/platform.ts';

describe('this machine', () => {
  it('waits as long as it is told', async () => {
    const startedAt = performance.now();

    await ownPlatform.wait(30);

    // A timer may come a millisecond early by this clock.
    expect(performance.now() - startedAt).toBeGreaterThan(28);
  });

  it('waits no longer when it is told to stop', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = timers();
    const stopping = new AbortController();
    const waiting = ownPlatform.wait(1_000_000, stopping.signal);

    stopping.abort(new Error('Enough'));

    // Nothing is left that would keep a process from ending.
    expect(timers()).toBe(timersBefore);
    await expect(waiting).rejects.toThrow('Enough');
  });

  it('does not begin to wait after it was told to stop', async () => {
    await expect(ownPlatform.wait(1_000_000, AbortSignal.abort(new Error('Before')))).rejects.toThrow('Before');
  });

  it('has chance from 0 to 1, a clock and keys that differ', () => {
    const chances = Array.from({ length: 100 }, () => ownPlatform.chance());
    expect(chances.every((chance) => chance >= 0 && chance < 1)).toBe(true);
    expect(new Set(chances).size).toBeGreaterThan(90);
    const beforeMs = Date.now();
    const nowMs = ownPlatform.now();
    expect(nowMs).toBeGreaterThanOrEqual(beforeMs);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
    expect(ownPlatform.newKey()).not.toBe(ownPlatform.newKey());
  });
});
