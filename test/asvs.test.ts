import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Requirement {
  id: string;
  level: string;
  status: string;
  evidence: string;
}

/** Sections with the numbers of their requirements, at levels 1 and 2, in ASVS 5.0.0. A line is a chapter. */
const sections = `
  1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2
  2.1:1-3 2.2:1-3 2.3:1-4 2.4:1
  3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
  4.1:1-3 4.2:1 4.3:1-2 4.4:1-4
  5.1:1 5.2:1-3 5.3:1-2 5.4:1-3
  6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4
  7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2
  8.1:1-2 8.2:1-3 8.3:1 8.4:1
  9.1:1-3 9.2:1-4
  10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3
  11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
  12.1:1-3 12.2:1-2 12.3:1-4
  13.1:1 13.2:1-5 13.3:1-2 13.4:1-5
  14.1:1-2 14.2:1-4 14.3:1-3
  15.1:1-3 15.2:1-3 15.3:1-7
  16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3
  17.1:1 17.2:1-4 17.3:1-2`;

const expectedIds = [...sections.matchAll(/(\S+):(\d+)(?:-(\d+))?/g)].flatMap(([, section, first, last = first]) => {
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `V${section}.${Number(first) + index}`);
});

const page = readFileSync('server/docs/asvs.md', 'utf8');
const requirements = [...page.matchAll(/^\| (V[\d.]+) \| ([12]) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id, level, status, evidence]) => ({ id, level, status, evidence }) as Requirement,
);
const filesIn = (evidence: string): string[] =>
  [...evidence.matchAll(/`((?:test|server|shared|widget)\/[^`]+|(?:package|tsconfig)\.json)`/g)].map(([, file]) => file!);

describe('The table of ASVS requirements', () => {
  it('has each of the 70 requirements of level 1 and the 183 of level 2 once', () => {
    expect(requirements.map(({ id }) => id).toSorted()).toEqual(expectedIds.toSorted());
    const count = (level: string) => requirements.filter((one) => one.level === level).length;
    expect([count('1'), count('2')]).toEqual([70, 183]);
  });

  it('names only files that exist', () => {
    const missing = requirements.flatMap(({ id, evidence }) =>
      filesIn(evidence)
        .filter((file) => !existsSync(file))
        .map((file) => `${id} ${file}`),
    );
    expect(missing).toEqual([]);
    const security = readFileSync('server/docs/security.md', 'utf8');
    expect(filesIn(security).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('names a test or code for each requirement that is met', () => {
    const unproven = requirements.filter(({ status, evidence }) => status === 'met' && filesIn(evidence).length === 0);
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });

  it('states the number of requirements of each status', () => {
    const stated = [...page.matchAll(/^\| (met|operator|not applicable|open) \| (\d+) \|/gm)].map(([, status, count]) => [
      status,
      Number(count),
    ]);
    const counted = ['met', 'operator', 'not applicable', 'open'].map((status) => [
      status,
      requirements.filter((one) => one.status === status).length,
    ]);
    expect(stated).toEqual(counted);
  });
});
