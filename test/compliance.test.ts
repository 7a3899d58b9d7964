import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programFieldDescriptions } from '../server/http/openapi/program-schema.ts';
import { liveRules } from '../server/lending/programs/live.ts';

const page = readFileSync('server/docs/compliance.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Requirement |'))
  .map((line) => {
    const [requirement = '', citation = '', shown = '', field = '', test = ''] = line.split('|').slice(1, -1);
    return { requirement: requirement.trim(), citation: citation.trim(), shown, fields: quoted(field), tests: quoted(test) };
  });

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
}

describe('The table of legal requirements', () => {
  it('has a citation and a test for each requirement', () => {
    expect(rows.length).toBeGreaterThan(60);
    const incomplete = rows.filter(({ citation, tests }) => citation === '' || tests.length === 0);
    expect(incomplete.map(({ requirement }) => requirement)).toEqual([]);
  });

  it('names only tests that exist', () => {
    expect(rows.flatMap(({ tests }) => tests).filter((file) => !file.endsWith('.test.ts') || !existsSync(file))).toEqual([]);
  });

  it('names only fields that programs have', () => {
    expect(rows.flatMap(({ fields }) => fields).filter((field) => !Object.hasOwn(programFieldDescriptions, field))).toEqual([]);
  });

  it('has the list of `program check --live`, in its order', () => {
    const listed = rows
      .filter(({ shown }) => shown.trim() === 'live mode')
      .map(({ requirement, citation, fields }) => [requirement, citation, ...fields]);
    expect(listed).toEqual(
      liveRules.map(({ expected, citation, path }) => [`${expected[0]!.toUpperCase()}${expected.slice(1)}`, citation, path]),
    );
  });

  it('states in its first lines that it is not legal advice', () => {
    expect(page.split('\n').slice(0, 4).join(' ')).toContain('engineering documentation and not legal advice');
  });
});
