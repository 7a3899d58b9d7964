import { describe, expect, it } from 'vitest';
import { endingBefore, type Listing, withoutRedundantBounds } from '../../../../server/platform/listing/filters.ts';
import type { Instant } from '../../../../server/base/time.ts';

const TENANT = '0190a5b0-0000-7000-8000-00000000000a';
const ID = '0190a5b0-0000-7000-8000-000000000001';

// The bounds are the start of March 31 and the start of April 1.
const FROM = '2026-03-31T00:00:00.000000Z';
const BEFORE = '2026-04-01T00:00:00.000000Z';
const dayBefore = '2026-03-30T23:59:59.999999Z';
const duringDay: Instant = '2026-03-31T12:00:00.000000Z';
const endOfDay = '2026-03-31T23:59:59.999999Z';

describe('Redundant bounds', () => {
  const listing: Listing = {
    tenantId: TENANT,
    sort: { by: 'updatedAt', direction: 'asc' },
    limit: 10,
    offset: 0,
    withMetadata: false,
  };

  it.each<['asc' | 'desc', cursor: Instant, remaining: string]>([
    ['asc', dayBefore, 'from before'],
    ['asc', FROM, 'after before'],
    ['asc', duringDay, 'after before'],
    ['asc', endOfDay, 'after before'],
    ['asc', BEFORE, 'nothing'],
    ['desc', dayBefore, 'nothing'],
    // Other rows may have the same timestamp as the cursor.
    ['desc', FROM, 'from after'],
    ['desc', duringDay, 'from after'],
    ['desc', endOfDay, 'from after'],
    ['desc', BEFORE, 'from before'],
  ])('in order %s with a cursor at %s are reduced to: %s', (direction, timestamp, remaining) => {
    const requested: Listing = { ...listing, updatedFrom: FROM, updatedBefore: BEFORE, after: { timestamp, id: ID } };
    const reduced = withoutRedundantBounds({ ...requested, sort: { by: 'updatedAt', direction } });
    const names = { updatedFrom: 'from', after: 'after', updatedBefore: 'before' };
    const bounds = Object.entries(names).flatMap(([name, word]) => (reduced?.[name as keyof typeof names] ? [word] : []));
    expect(reduced ? bounds.join(' ') : 'nothing').toBe(remaining);
  });
});

describe('The end of a listing in ascending order', () => {
  const HORIZON = '2026-03-31T12:00:00.000000Z';
  const listing: Listing = {
    tenantId: TENANT,
    sort: { by: 'updatedAt', direction: 'asc' },
    limit: 10,
    offset: 0,
    withMetadata: false,
  };

  it('bounds the timestamp it is sorted by', () => {
    expect(endingBefore(listing, HORIZON)).toEqual({ ...listing, updatedBefore: HORIZON });
    const byCreation: Listing = { ...listing, sort: { by: 'createdAt', direction: 'asc' }, updatedBefore: BEFORE };
    expect(endingBefore(byCreation, HORIZON)).toEqual({ ...byCreation, createdBefore: HORIZON });
  });

  it('is the earlier of the horizon and the last requested day', () => {
    expect(endingBefore({ ...listing, updatedBefore: FROM }, HORIZON)?.updatedBefore).toBe(FROM);
    expect(endingBefore({ ...listing, updatedBefore: BEFORE }, HORIZON)?.updatedBefore).toBe(HORIZON);
  });

  it('leaves nothing after a cursor or a day that is not before it', () => {
    expect(endingBefore({ ...listing, after: { timestamp: HORIZON, id: ID } }, HORIZON)).toBeUndefined();
    expect(endingBefore({ ...listing, updatedFrom: BEFORE }, HORIZON)).toBeUndefined();
  });
});
