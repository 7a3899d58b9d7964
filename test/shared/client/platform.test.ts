import { describe, expect, it } from 'vitest';
import { ownPlatform } from '../../../shared/client/platform.ts';

describe('this machine', () => {
  it('waits for the given time', async () => {
    const startedAt = performance.now();

    await ownPlatform.wait(30);

    // A timer may fire a millisecond early by this clock.
    expect(performance.now() - startedAt).toBeGreaterThan(28);
  });

  it('stops waiting when the signal aborts', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = timers();
    const stopping = new AbortController();
    const waiting = ownPlatform.wait(1_000_000, stopping.signal);

    stopping.abort(new Error('Enough'));

    // No timer is left that would keep the process alive.
    expect(timers()).toBe(timersBefore);
    await expect(waiting).rejects.toThrow('Enough');
  });

  it('does not wait if the signal is already aborted', async () => {
    await expect(ownPlatform.wait(1_000_000, AbortSignal.abort(new Error('Before')))).rejects.toThrow('Before');
  });

  it('provides random numbers from 0 to 1, a clock and unique keys', () => {
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
