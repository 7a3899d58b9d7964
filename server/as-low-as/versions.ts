import type { CivilDate } from '../../shared/dates.ts';

/** When a version of a program is sold. */
export interface VersionDates {
  version: number;
  status: 'active' | 'retired';
  /** First and last day; null for no end. */
  effective_from: CivilDate;
  effective_to: CivilDate | null;
}

/**
 * The version that new loans are made under on a day, in UTC: of all in effect that day, the highest. None when that one is
 * retired, which is how a program is withdrawn: the versions below it must not come back.
 */
export function versionOn<Version extends VersionDates>(versions: readonly Version[], on: CivilDate): Version | undefined {
  const inEffect = versions.filter(
    ({ effective_from, effective_to }) => effective_from <= on && (effective_to === null || on <= effective_to),
  );
  const highest = latestOf(inEffect);
  return highest?.status === 'active' ? highest : undefined;
}

/** The highest version, in effect or not. */
export function latestOf<Version extends VersionDates>(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => b.version - a.version)[0];
}

/** The versions that will be sold from a later day on, the lowest first. */
export function versionsAfter<Version extends VersionDates>(versions: readonly Version[], on: CivilDate): Version[] {
  return versions
    .filter((version) => version.effective_from > on && versionOn(versions, version.effective_from) === version)
    .toSorted((a, b) => a.version - b.version);
}
