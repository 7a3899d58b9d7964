import { describe, expect, it } from 'vitest';
import { limiter, takeOne } from '../../../server/http/rate-limit.ts';
import { samples } from '../../support/random.ts';

describe('A bucket of 30 requests a minute', () => {
  it.each<[string, fullAtMs: number | undefined, nowMs: number, after: number | undefined, waitMs: number]>([
    ['allows a request if it is unused', undefined, 5_000, 7_000, 0],
    ['allows a request if it is full again', 4_000, 5_000, 7_000, 0],
    ['allows a request at the moment when it is full again', 5_000, 5_000, 7_000, 0],
    ['allows a request if one was used', 7_000, 5_000, 9_000, 0],
    ['allows the last request', 63_000, 5_000, 65_000, 0],
    ['returns the wait if it is empty', 65_000, 5_000, 65_000, 2_000],
    ['returns half of the wait if half of a request is available', 64_000, 5_000, 64_000, 1_000],
    ['tolerates half a millisecond', 63_000.5, 5_000, 65_000.5, 0],
    ['returns a longer wait if it is overdrawn by a minute', 125_000, 5_000, 125_000, 62_000],
  ])('%s', (_title, fullAtMs, nowMs, after, waitMs) => {
    expect(takeOne(fullAtMs, 30, nowMs)).toEqual({ fullAtMs: after, waitMs });
  });
});

describe('Buckets by name', () => {
  const createBuckets = (perMinute: number, maxBuckets?: number) => {
    const clock = { nowMs: 0 };
    return { clock, take: limiter(perMinute, () => clock.nowMs, maxBuckets === undefined ? {} : { maxBuckets }) };
  };

  it('apply the same limit to each name independently', () => {
    const { take, clock } = createBuckets(2);
    expect(['a', 'a', 'a', 'b', 'b', 'b'].map((name) => take(name))).toEqual([0, 0, 30_000, 0, 0, 30_000]);
    clock.nowMs = 29_000;
    expect(take('a')).toBe(1_000);
    clock.nowMs = 30_000;
    expect(['a', 'a'].map((name) => take(name))).toEqual([0, 30_000]);
  });

  it('allow everything if the limit is 0', () => {
    const { take } = createBuckets(0);
    for (let count = 0; count < 1_000; count += 1) expect(take('a')).toBe(0);
  });

  it('are at most a thousand, of the last names', () => {
    const { take } = createBuckets(1, 1_000);
    for (let name = 0; name < 12_345; name += 1) take(`name ${name}`);
    const last = Array.from({ length: 1_000 }, (_, back) => `name ${12_344 - back}`);
    expect(last.filter((name) => take(name) === 0)).toEqual([]);
    // All others were forgotten.
    for (let name = 0; name < 11_345; name += 1) expect(take(`name ${name}`)).toBe(0);
  });

  it('retain a name that is in use, regardless of rejections and other names', () => {
    const { take } = createBuckets(1, 10);
    expect(take('a')).toBe(0);
    for (let name = 0; name < 1_000; name += 1) {
      take(`name ${name}`);
      expect(take('a')).toBe(60_000);
    }
  });

  it('allow a /56 network four times and a /48 network sixteen times the requests of a /64 network', () => {
    const { take } = createBuckets(1);
    const taken = (wide: string, narrow: string, address: string) => take(address, narrow, wide) === 0;
    expect([taken('w', 'n', 'a'), taken('w', 'n', 'a')]).toEqual([true, false]);
    expect(['b', 'c', 'd', 'e', 'f'].map((address) => taken('w', 'n', address))).toEqual([true, true, true, false, false]);
    let count = 4;
    for (let network = 0; network < 10; network += 1) {
      for (let address = 0; address < 4; address += 1) {
        if (taken('w', `n${network}`, `${network}.${address}`)) count += 1;
      }
    }
    expect(count).toBe(16);
    expect(taken('other', 'x', 'y')).toBe(true);
  });

  it('count no request if one of the limits is exceeded, and return the longest wait', () => {
    const { take, clock } = createBuckets(1);
    for (let address = 0; address < 4; address += 1) take(`${address}`, 'network');
    expect(take('a', 'network')).toBe(15_000);
    clock.nowMs = 15_000;
    expect(take('a', 'network')).toBe(0);
    expect(take('a', 'network')).toBe(60_000);
  });

  it('never allow more than a full bucket plus its refill', () => {
    for (const { perMinute, waits } of samples(200, 26, ({ integer }) => ({
      perMinute: integer(1, 50),
      waits: Array.from({ length: 300 }, () => integer(0, 4_000)),
    }))) {
      const { take, clock } = createBuckets(perMinute);
      const taken: number[] = [];
      for (const wait of waits) {
        clock.nowMs += wait;
        if (take('a') === 0) taken.push(clock.nowMs);
      }
      for (const [index, from] of taken.entries()) {
        const within = taken.slice(index).filter((at) => at < from + 60_000).length;
        expect(within).toBeLessThanOrEqual(2 * perMinute);
      }
      const durationMs = taken.at(-1)! - taken[0]!;
      expect(taken.length).toBeLessThanOrEqual(perMinute + (durationMs / 60_000) * perMinute + 1);
    }
  });
});
