import { describe, expect, it } from 'vitest';
import { endingBefore, type Listing, listingOf, withoutRedundantBounds } from '../../../server/listing/filters.ts';
import type { Instant } from '../../../server/time.ts';

const TENANT = '0190a5b0-0000-7000-8000-00000000000a';
const ID = '0190a5b0-0000-7000-8000-000000000001';
const scope = { tenantId: TENANT };
const NOW = '2026-11-21T09:30:00.000000Z';

describe('A listing', () => {
  it('without parameters contains the newest ten applications', () => {
    expect(listingOf({}, scope, NOW)).toEqual({
      tenantId: TENANT,
      sort: { by: 'createdAt', direction: 'desc' },
      limit: 10,
      offset: 0,
      withMetadata: false,
    });
  });

  it('converts ids and hashes to lower case, and days to the instants of their start and end', () => {
    const listing = listingOf(
      {
        'buyerID.eq': ID.toUpperCase(),
        'merchantID.eq': ID.toUpperCase(),
        'normalizedAddressHash.eq': 'AB'.repeat(32),
        'updatedAt.gte': '2026-02-28',
        'updatedAt.lte': '2026-02-28',
        'lastTimestamp.eq': '2026-03-01T01:30:00.1234567+02:00',
        'lastID.eq': ID.toUpperCase(),
        'metadata.eq': 'true',
        sort: 'createdAt.asc',
      },
      scope,
      NOW,
    );
    expect(listing).toMatchObject({
      buyerId: ID,
      merchantId: ID,
      addressHash: 'ab'.repeat(32),
      updatedFrom: '2026-02-28T00:00:00.000000Z',
      updatedBefore: '2026-03-01T00:00:00.000000Z',
      after: { timestamp: '2026-02-28T23:30:00.123456Z', id: ID },
      sort: { by: 'createdAt', direction: 'asc' },
      withMetadata: true,
    });
  });

  it('has no end if it includes the last supported day', () => {
    expect(listingOf({ 'updatedAt.lte': '9999-12-31' }, scope, NOW)?.updatedBefore).toBeUndefined();
  });

  it('is undefined when no row can match, so that no query runs', () => {
    const unmatchable: [Record<string, unknown>, object][] = [
      [{ 'updatedAt.gte': '2026-04-01', 'updatedAt.lte': '2026-03-31' }, {}],
      [{ 'status.eq': 'DENIED', 'statusCode.eq': '100000' }, {}],
      [{ 'statusCode.eq': '999999' }, {}],
      [{ 'status.eq': 'EXPIRED', 'showExpired.eq': 'false' }, {}],
      [{ 'buyerID.eq': ID }, { buyerId: TENANT }],
    ];
    for (const [query, claims] of unmatchable)
      expect([query, listingOf(query, { ...scope, ...claims }, NOW)]).toEqual([query, undefined]);
  });
});

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

  it.each(['asc', 'desc'] as const)('in order %s, a single bound is dropped if the cursor is stricter', (direction) => {
    const after = { timestamp: duringDay, id: ID };
    const sorted = { ...listing, after, sort: { by: 'updatedAt', direction } as const };
    expect(withoutRedundantBounds({ ...sorted, updatedFrom: FROM })?.updatedFrom).toBe(direction === 'asc' ? undefined : FROM);
    expect(withoutRedundantBounds({ ...sorted, updatedBefore: BEFORE })?.updatedBefore).toBe(
      direction === 'asc' ? BEFORE : undefined,
    );
    expect(withoutRedundantBounds(sorted)).toEqual(sorted);
  });

  it('are not dropped if the listing is sorted by another timestamp', () => {
    const byCreation: Listing = {
      ...listing,
      sort: { by: 'createdAt', direction: 'asc' },
      updatedFrom: FROM,
      updatedBefore: BEFORE,
      after: { timestamp: dayBefore, id: ID },
    };
    expect(withoutRedundantBounds(byCreation)).toEqual(byCreation);
  });

  it('match nothing if the end is not after the start', () => {
    expect(withoutRedundantBounds({ ...listing, updatedFrom: FROM, updatedBefore: FROM })).toBeUndefined();
    expect(withoutRedundantBounds({ ...listing, updatedFrom: BEFORE, updatedBefore: FROM })).toBeUndefined();
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
