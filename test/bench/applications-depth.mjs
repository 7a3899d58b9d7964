/** What the first page of a list costs, and a deep one: read, presented and put into JSON, in this process. */
import { reportFigure } from './figures.mjs';
import { median } from './median.mjs';

const dist = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);

const LIMIT = 10;
const DEEP_PAGE = 20_000;
const SAMPLES = 300;
/** Number of pages that take turns, so that no page is requested every time. */
const PAGES = 10;
/** Among how many deep ones those are looked for that are as long as the first ones: what stands in a page costs more than finding it. */
const NEIGHBOURS = 200;
const SORTS = ['createdAt.desc', 'createdAt.asc', 'updatedAt.desc', 'updatedAt.asc'];

/** Reports what a page by its last application costs, deep in every kind of list, beside the first page. */
export async function pagesByDepth(seeded) {
  const { pageOf, close } = await opened(seeded);
  for (const { name, scope, query } of kindsOf(seeded)) {
    for (const sort of SORTS.filter((one) => !query['updatedAt.gte'] || one.startsWith('updatedAt'))) {
      const filters = { ...query, sort, limit: String(LIMIT) };
      const page = await deepestPage(pageOf, filters, scope);
      const first = (await neighbours(pageOf, filters, scope)).slice(0, PAGES);
      const near = await neighbours(pageOf, { ...filters, ...(await keysetBefore(pageOf, filters, scope, page)) }, scope);
      const deep = asLongAs(first, near);
      const [firstUs, deepUs] = await inTurns(
        [first, deep].map((pages) => (turn) => pageOf(pages[turn % pages.length].filters, scope)),
      );
      reportFigure({
        what: `${name}, ${sort}: page ${page}`,
        value: deepUs / firstUs,
        unit: 'times page 1',
        atMost: 1.2,
        details: `${deepUs.toFixed(0)} us, page 1 ${firstUs.toFixed(0)} us`,
      });
    }
  }
  await close();
}

/** Reports how the cost of an offset grows. It is known to, and has no goal. */
export async function pagesByOffset(seeded) {
  const { pageOf, close } = await opened(seeded);
  const { tenantId } = seeded;
  const kinds = [
    { name: 'all', query: {} },
    { name: 'one code', query: { 'statusCode.eq': '800100' } },
    { name: 'not expired', query: { 'showExpired.eq': 'false' } },
    { name: 'updated within, by creation', query: { 'updatedAt.gte': '2024-01-01' } },
    { name: 'updated on a day, by creation', query: { 'updatedAt.gte': '2025-05-05', 'updatedAt.lte': '2025-05-05' } },
  ];
  for (const { name, query } of kinds) {
    for (const offset of [0, 1_000, 10_000, 100_000, 1_000_000]) {
      const [us] = await inTurns([() => pageOf({ ...query, offset: String(offset) }, { tenantId })], 3);
      reportFigure({ what: `${name}, offset ${offset}`, value: us / 1_000, unit: 'ms' });
    }
  }
  await close();
}

async function opened({ file }) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { listPage } = await dist('server/applications/listing/list.js');
  const database = openSqlite(file);
  const pageOf = async (filters, scope) => {
    const { applications, next } = await listPage(database, filters, scope);
    const { length } = JSON.stringify({ applications });
    return { applications, next, length };
  };
  return { pageOf, close: () => database.close() };
}

/** Every list that an index serves in full. */
function kindsOf({ tenantId, merchantId, programId, buyerId, addressHash }) {
  const codes = [
    { name: '', query: {} },
    { name: ', one code', query: { 'statusCode.eq': '610000' } },
    { name: ', a rare code', query: { 'statusCode.eq': '510000' } },
    { name: ', denied', query: { 'status.eq': 'DENIED' } },
    { name: ', not expired', query: { 'showExpired.eq': 'false' } },
    { name: ', updated within a year', query: { 'updatedAt.gte': '2024-06-01', 'updatedAt.lte': '2025-05-31' } },
  ];
  const owners = [
    { name: 'tenant', scope: { tenantId } },
    { name: 'merchant', scope: { tenantId, merchantId } },
    { name: 'program', scope: { tenantId, programId } },
    { name: 'merchant and program', scope: { tenantId, merchantId, programId } },
  ];
  const ofOwners = owners.flatMap(({ name, scope }) =>
    codes.map((code) => ({ name: name + code.name, scope, query: code.query })),
  );
  return [
    ...ofOwners,
    { name: 'buyer', scope: { tenantId, buyerId }, query: {} },
    { name: 'address', scope: { tenantId }, query: { 'normalizedAddressHash.eq': addressHash } },
  ];
}

/** Page 20,000, or the last but a few of a shorter list. */
async function deepestPage(pageOf, filters, scope) {
  const has = async (page) => {
    const { applications } = await pageOf({ ...filters, limit: '1', offset: String(page * LIMIT - 1) }, scope);
    return applications.length > 0;
  };
  let [low, high] = [1, DEEP_PAGE + NEIGHBOURS];
  if (await has(high)) return DEEP_PAGE;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await has(middle)) low = middle;
    else high = middle;
  }
  return Math.max(1, low - NEIGHBOURS);
}

async function keysetBefore(pageOf, filters, scope, page) {
  if (page === 1) return {};
  const { applications } = await pageOf({ ...filters, limit: '1', offset: String((page - 1) * LIMIT - 1) }, scope);
  const [{ id, createdAt, updatedAt }] = applications;
  return { 'lastTimestamp.eq': filters.sort.startsWith('createdAt') ? createdAt : updatedAt, 'lastID.eq': id };
}

/** What asks for a page and for those after it, and how long each is. */
async function neighbours(pageOf, filters, scope) {
  const pages = [];
  for (let next = {}; next && pages.length < NEIGHBOURS;) {
    const page = { ...filters, ...next };
    const { length, next: last } = await pageOf(page, scope);
    pages.push({ filters: page, length });
    next = last && { 'lastTimestamp.eq': last.lastTimestamp, 'lastID.eq': last.lastId };
  }
  return pages;
}

/** Of `others`, for each of `pages` one that is about as long. */
function asLongAs(pages, others) {
  const left = [...others];
  return pages.map(({ length }) => {
    const distance = (other) => Math.abs(other.length - length);
    const nearest = left.reduce((best, other) => (distance(other) < distance(best) ? other : best), left[0] ?? others[0]);
    left.splice(left.indexOf(nearest), 1);
    return nearest;
  });
}

/** The median of what each of them takes, in microseconds. They take turns, so that whatever else the machine does meets all. */
async function inTurns(ways, samples = SAMPLES) {
  const costsUs = ways.map(() => []);
  for (let turn = 0; turn < samples + PAGES; turn++) {
    for (const [index, way] of ways.entries()) {
      const startedAtMs = performance.now();
      await way(turn);
      // The first of each are what brings the pages into memory.
      if (turn >= PAGES || samples < PAGES) costsUs[index].push((performance.now() - startedAtMs) * 1_000);
    }
  }
  return costsUs.map(median);
}
