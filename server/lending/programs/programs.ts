import type { CivilDate } from '../../../shared/dates.ts';
import { disclosureTexts } from '../../../shared/languages/index.ts';
import type { Finding } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { type ProgramDocument, type RateSheet, rateSheet } from '../../../shared/programs/rate-sheet.ts';
import type { Query, Readable } from '../../db/database.ts';
import { type Connection, connectionOf } from '../../db/engine.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Instant, isInstant, dateIn } from '../../base/time.ts';
import { findContentProblems, findSaleProblems } from './live.ts';
import type { LiveService } from './live-rule.ts';
import { allPrograms, findProgram, getVersion, type ProgramOwner, programsOf, type ProgramVersion, versionsOf } from './store.ts';

/** A day in the time zone of a program, `2026-11-21`, or an instant, whose day depends on that zone. */
export type DayOrInstant = CivilDate | Instant;

/** The version of a merchant's program that is sold on a day. */
export interface SoldProgram {
  /** The `programID` of the platform API. `program.id` is the merchant's code. */
  programId: string;
  program: Program;
}

/**
 * Returns a day in the time zone of a program: that of its latest version.
 *
 * @param when - An instant; or a day, which is returned.
 */
export async function dayOf(
  query: Query,
  programId: string,
  versions: readonly ProgramVersion[],
  when: DayOrInstant,
): Promise<CivilDate> {
  const latest = latestOf(versions);
  if (!isInstant(when)) return when;
  if (!latest) return dateIn(when, 'UTC');
  return dateIn(when, (await getVersion(query, programId, latest.version)).timeZone);
}

/**
 * Returns the version of a program that is sold at an instant or on a day, if any. A live service sells no version that lacks what live mode
 * requires, and no lower version instead.
 *
 * @param latest - The latest version of the program, if it is known.
 */
export async function findProgramOn(
  query: Query,
  programId: string,
  when: DayOrInstant,
  latest?: number,
): Promise<Program | undefined> {
  const versions = await versionsOf(query, programId, latest);
  const current = versionOn(versions, await dayOf(query, programId, versions, when));
  const program = current && (await getVersion(query, programId, current.version));
  return program && saleProblems(query, program).length === 0 ? program : undefined;
}

/** Returns the merchant's program with that code in the version sold at an instant or on a day, if any. */
export async function findSoldProgram(
  query: Query,
  merchantId: string,
  code: string,
  when: DayOrInstant,
): Promise<SoldProgram | undefined> {
  const row = await findProgram(query, merchantId, code);
  const program = row && (await findProgramOn(query, row.id, when));
  return program && { programId: row.id, program };
}

/**
 * Returns the merchant's program with that code in the version sold at an instant or on a day, or the default program if `code` is missing,
 * null or empty.
 *
 * @throws ServiceError `program-not-found` - the program does not exist, or is not sold then.
 */
export async function getSoldProgram(
  query: Query,
  merchant: ProgramOwner,
  code: string | null | undefined,
  when: DayOrInstant,
): Promise<SoldProgram> {
  const programId = code ? (await findProgram(query, merchant.id, code))?.id : merchant.defaultProgramId;
  const latest = code ? undefined : merchant.latestVersion;
  if (programId === undefined) {
    throw new ServiceError(
      'program-not-found',
      `At path: financingProgramId -- Expected the id of one of your financing programs, or nothing for the default one, but received ${JSON.stringify(code)}`,
    );
  }
  const program = await findProgramOn(query, programId, when, latest);
  if (!program) {
    const on = await dayOf(query, programId, await versionsOf(query, programId), when);
    throw new ServiceError(
      'program-not-found',
      code
        ? `At path: financingProgramId -- Expected a program that is sold on ${on}, but "${code}" has no version in effect then`
        : `Expected a merchant with a program that is sold on ${on}, but the default program has no version in effect then`,
    );
  }
  return { programId, program };
}

/** Returns the document from which a page calculates quotes for the merchant now. */
export async function programDocument(query: Query, merchant: ProgramOwner, now: Instant): Promise<ProgramDocument> {
  const rows = await programsOf(query, merchant.id);
  const sold = await Promise.all(rows.map(({ id }) => findProgramOn(query, id, now)));
  return {
    defaultProgramId: rows.find(({ id }) => id === merchant.defaultProgramId)?.code ?? '',
    programs: sold.flatMap((program) => (program ? [rateSheetOf(program)] : [])),
    texts: disclosureTexts,
  };
}

/** The live services of open databases, and the problems of their programs, which are checked once. */
const services = new WeakMap<Connection, { service: LiveService; checked: WeakMap<Program, readonly Finding[]> }>();

/** From now on, only programs that meet the requirements of a live service are sold. */
export function sellOnlyLivePrograms({ query }: Readable, service: LiveService): void {
  services.set(connectionOf(query), { service, checked: new WeakMap() });
}

/** Returns why a program is not sold. Empty in the sandbox, which sells every valid program. */
export function saleProblems(query: Query, program: Program): readonly Finding[] {
  const live = services.get(connectionOf(query));
  if (!live) return [];
  let problems = live.checked.get(program);
  if (!problems) live.checked.set(program, (problems = findSaleProblems(program, live.service)));
  return problems;
}

/** A version that would be sold now or later, and its problems. */
export interface FaultyVersion {
  merchantId: string;
  /** The merchant's code of the program. */
  program: string;
  version: number;
  /** False if its problems prevent the sale; true if they would only prevent another import. */
  isSold: boolean;
  problems: readonly Finding[];
}

/** Yields the versions of all merchants that a live service does not sell because of their problems, or would not import again. */
export async function* findFaultyVersions(query: Query, now: Instant): AsyncGenerator<FaultyVersion> {
  const live = services.get(connectionOf(query));
  if (!live) return;
  // Merchants with the same program share one object.
  const content = new WeakMap<Program, readonly Finding[]>();
  for await (const { id, merchantId, code } of allPrograms(query)) {
    const versions = await versionsOf(query, id);
    for (const { version } of await versionsInSale(query, id, versions, now)) {
      const program = await getVersion(query, id, version);
      const unsold = saleProblems(query, program);
      const rejected =
        content.get(program) ?? findContentProblems(program, { ...live.service, today: dateIn(now, program.timeZone) });
      content.set(program, rejected);
      const problems = [...unsold, ...rejected];
      if (problems.length > 0) yield { merchantId, program: code, version, isSold: unsold.length === 0, problems };
    }
  }
}

async function versionsInSale(query: Query, programId: string, versions: readonly ProgramVersion[], now: Instant) {
  const today = await dayOf(query, programId, versions, now);
  const current = versionOn(versions, today);
  return [...(current ? [current] : []), ...versionsAfter(versions, today)];
}

const rateSheets = new WeakMap<Program, Map<string, RateSheet>>();

/**
 * Returns the rate sheet of a program. Cached with the program, because calculating one with promotions takes up to 2 ms (decisions/0035).
 *
 * @param state - The buyer's state; omitted before it is known.
 */
export function rateSheetOf(program: Program, state = ''): RateSheet {
  const cached = rateSheets.get(program) ?? new Map<string, RateSheet>();
  rateSheets.set(program, cached);
  let sheet = cached.get(state);
  if (!sheet) cached.set(state, (sheet = rateSheet(program, state || undefined)));
  return sheet;
}

/** The dates on which a version of a program is in effect. */
export type VersionDates = Pick<ProgramVersion, 'version' | 'status' | 'effectiveFrom' | 'effectiveTo'>;

/**
 * Returns the version that is sold on a day: the highest version in effect. Returns undefined if that version is retired: a
 * retired version withdraws the program, so that lower versions must not be sold again.
 */
export function versionOn<Version extends VersionDates>(versions: readonly Version[], on: CivilDate): Version | undefined {
  const inEffect = versions.filter(
    ({ effectiveFrom, effectiveTo }) => effectiveFrom <= on && (effectiveTo === null || on <= effectiveTo),
  );
  const highest = latestOf(inEffect);
  return highest?.status === 'active' ? highest : undefined;
}

/** Returns the highest version, in effect or not. */
export function latestOf<Version extends VersionDates>(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => b.version - a.version)[0];
}

/** Returns the versions that will be sold after a day, the lowest first. */
export function versionsAfter<Version extends VersionDates>(versions: readonly Version[], on: CivilDate): Version[] {
  return versions
    .filter((version) => version.effectiveFrom > on && versionOn(versions, version.effectiveFrom) === version)
    .toSorted((a, b) => a.version - b.version);
}

/** Returns the time zone and currency of a merchant's default program, also while it is not sold. */
export async function localesOf(
  query: Query,
  { defaultProgramId }: ProgramOwner,
): Promise<Pick<Program, 'timeZone' | 'currency'>> {
  const latest = latestOf(await versionsOf(query, defaultProgramId));
  return latest ? getVersion(query, defaultProgramId, latest.version) : { timeZone: 'UTC', currency: 'USD' };
}
