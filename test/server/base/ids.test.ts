import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { isId, newId, timeOfId } from '../../../server/base/ids.ts';
import { epochMs } from '../../../server/base/time.ts';

describe('A new id', () => {
  it('is a UUID of version 7 with the time of its creation', () => {
    const before = Date.now();
    const id = newId();
    expect([isId(id), validate(id), version(id)]).toEqual([true, true, 7]);
    // Thousands of ids within a millisecond continue in the next one.
    expect(epochMs(timeOfId(id))).toBeGreaterThanOrEqual(before);
    expect(epochMs(timeOfId(id))).toBeLessThanOrEqual(Date.now() + 10);
  });

  it('sorts after all earlier ones of the process, also when a millisecond has more than 4,096', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has 62 random bits', () => {
    const ends = Array.from({ length: 1_000 }, () => newId().slice(19));
    expect(new Set(ends).size).toBe(ends.length);
  });
});
