/** Measures the first page of a list and a deep one in this process: query, presentation and JSON. */
import type { SeededApplications } from './applications-seed.ts';
import { median, reportFigure } from './figures.ts';
import type { Scope } from '../../server/http/context.ts';
import { benchKeys, dist } from './built.ts';

const LIMIT = 10;
const DEEP_PAGE = 20_000;
const SAMPLES = 300;
/** Number of pages that take turns, so that no page is requested every time. */
const PAGES = 10;
/**
 * Number of deep pages from which those are chosen that are about as long as the first pages. Serializing a page costs more than
 * finding it.
 */
const CANDIDATES = 200;
const SORTS = ['createdAt.desc', 'createdAt.asc', 'updatedAt.desc', 'updatedAt.asc'];

type Filters = Record<string, string>;
type PageOf = Awaited<ReturnType<typeof opened>>['pageOf'];

/** The filters of a page, and the length of its JSON. */
interface MeasuredPage {
  filters: Filters;
  length: number;
}

/** Reports the time of a deep keyset page relative to the first page, for every kind of list. */
export async function pagesByDepth(seeded: SeededApplications) {
  const { pageOf, close } = await opened(seeded);
  for (const { name, scope, query } of kindsOf(seeded)) {
    for (const sort of SORTS.filter((one) => !query['updatedAt.gte'] || one.startsWith('updatedAt'))) {
      const filters = { ...query, sort, limit: String(LIMIT) };
      const page = await deepestPage(pageOf, filters, scope);
      const first = (await consecutivePages(pageOf, filters, scope)).slice(0, PAGES);
      const keyset = await keysetBefore(pageOf, filters, scope, page);
      const deep = ofSimilarLength(first, await consecutivePages(pageOf, { ...filters, ...keyset }, scope));
      const [firstUs, deepUs] = await measureInTurns(
        [first, deep].map((pages) => (turn: number) => pageOf(pages[turn % pages.length]!.filters, scope)),
      );
      reportFigure({
        what: `${name}, ${sort}: page ${page}`,
        value: deepUs! / firstUs!,
        unit: 'times page 1',
        atMost: 1.2,
        details: `${deepUs!.toFixed(0)} us, page 1 ${firstUs!.toFixed(0)} us`,
      });
    }
  }
  await close();
}

async function opened({ file }: SeededApplications) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { readApplicationPage } = await dist('server/platform/listing/routes.js');
  const { systemClock } = await dist('server/base/time.js');
  const database = openSqlite(file, benchKeys);
  const pageOf = async (filters: Filters, scope: Scope) => {
    const { applications, next } = await readApplicationPage(database, filters, scope, systemClock.now());
    const { length } = JSON.stringify({ applications });
    return { applications, next, length };
  };
  return { pageOf, close: () => database.close() };
}

/** Returns every kind of list for which an index contains the filter and the order. */
function kindsOf({ tenantId, merchantId, programId, buyerId, addressHash }: SeededApplications) {
  const codes: { name: string; query: Filters }[] = [
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
    { name: 'buyer', scope: { tenantId, buyerId }, query: {} as Filters },
    { name: 'address', scope: { tenantId }, query: { 'normalizedAddressHash.eq': addressHash } },
  ];
}

/** Returns 20,000, or the number of a page near the end of a shorter list. */
async function deepestPage(pageOf: PageOf, filters: Filters, scope: Scope) {
  const has = async (page: number) => {
    const { applications } = await pageOf({ ...filters, limit: '1', offset: String(page * LIMIT - 1) }, scope);
    return applications.length > 0;
  };
  let low = 1;
  let high = DEEP_PAGE + CANDIDATES;
  if (await has(high)) return DEEP_PAGE;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await has(middle)) low = middle;
    else high = middle;
  }
  return Math.max(1, low - CANDIDATES);
}

async function keysetBefore(pageOf: PageOf, filters: Filters, scope: Scope, page: number) {
  if (page === 1) return {};
  const { applications } = await pageOf({ ...filters, limit: '1', offset: String((page - 1) * LIMIT - 1) }, scope);
  const { id, createdAt, updatedAt } = applications[0]!;
  return { 'lastTimestamp.eq': filters['sort']!.startsWith('createdAt') ? createdAt : updatedAt, 'lastID.eq': id };
}

/** Returns the filters and the length of a page and of those after it. */
async function consecutivePages(pageOf: PageOf, filters: Filters, scope: Scope) {
  const pages: MeasuredPage[] = [];
  for (let next: Filters | undefined = {}; next && pages.length < CANDIDATES;) {
    const page: Filters = { ...filters, ...next };
    const { length, next: last } = await pageOf(page, scope);
    pages.push({ filters: page, length });
    next = last && { 'lastTimestamp.eq': last.lastTimestamp, 'lastID.eq': last.lastId };
  }
  return pages;
}

/** For each of `pages`, returns the candidate with the most similar length, each candidate once. */
function ofSimilarLength(pages: MeasuredPage[], candidates: MeasuredPage[]) {
  const left = [...candidates];
  return pages.map(({ length }) => {
    const distance = (other: MeasuredPage) => Math.abs(other.length - length);
    const nearest = left.reduce((best, other) => (distance(other) < distance(best) ? other : best), left[0] ?? candidates[0]!);
    left.splice(left.indexOf(nearest), 1);
    return nearest;
  });
}

/** Returns the median time of each function in microseconds. They take turns, so that other load on the machine affects all of them. */
async function measureInTurns(functions: ((turn: number) => Promise<unknown>)[]) {
  const timesUs = functions.map((): number[] => []);
  for (let turn = 0; turn < SAMPLES + PAGES; turn++) {
    for (const [index, run] of functions.entries()) {
      const startedAtMs = performance.now();
      await run(turn);
      // The first calls load the pages into memory.
      if (turn >= PAGES) timesUs[index]!.push((performance.now() - startedAtMs) * 1_000);
    }
  }
  return timesUs.map((times) => median(times));
}
