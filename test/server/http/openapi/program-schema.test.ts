import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { validate } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { standardProgram } from '../../../../server/lending/programs/standard-program.ts';
import { programFieldDescriptions, programSchema } from '../../../../server/http/openapi/program-schema.ts';
import { Program } from '../../../../shared/programs/program.ts';
import type { JsonSchema } from '../../../../shared/wire/annotations.ts';
import { campaign, campaignTimeoutMs } from '../../../support/campaign.ts';
import { newAjv } from '../../../support/conformance.ts';
import { LONE_SURROGATE, mutated } from '../../../support/openapi-values.ts';
import { seededRandom } from '../../../support/random.ts';

const schema = programSchema(standardProgram);
const accepts = newAjv().compile(schema);
const holiday: unknown = JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8'));
const programs: [string, unknown][] = [
  ['the sample program', holiday],
  ['the standard program', standardProgram],
];

describe('The JSON Schema of programs', () => {
  it.each(programs)('accepts %s', (_, program) => {
    accepts(program);
    expect(accepts.errors).toBeNull();
  });

  it.each(programs)(
    'agrees with the validation of an import about mutations of %s',
    (_, program) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const value = mutated(program, seededRandom(seed));
          const [error] = validate(value, Program, { coerce: true });
          // The schema has a pattern of time zones instead of their names.
          fc.pre(error?.type !== 'time zone');
          // Rules between fields have no schema.
          const hasValidFields = error === undefined || error.refinement === 'program';
          fc.pre(!JSON.stringify(value)?.includes(JSON.stringify(LONE_SURROGATE).slice(1, -1)));
          expect(accepts(value)).toBe(hasValidFields);
        }),
        campaign(100),
      );
    },
    campaignTimeoutMs,
  );

  it('accepts a program with only the required fields, and one that overrides a part of a default', () => {
    const { id, name, version, amount, tiers, offers } = standardProgram;
    const minimal = { id, name, version, lender: { name: 'A bank' }, amount, tiers, offers };
    expect(accepts(minimal)).toBe(true);
    expect(accepts({ ...minimal, effective: { to: '2027-01-01' } })).toBe(true);
  });

  it('describes every field', () => {
    expect(Object.keys(programFieldDescriptions).toSorted()).toEqual(fieldsOf(schema).toSorted());
  });

  it('has the standard program and the values of its fields as examples', () => {
    expect(schema).toMatchObject({
      properties: { name: { examples: ['Standard'] }, offers: { items: { properties: { termLength: { examples: [6] } } } } },
      examples: [standardProgram],
    });
  });
});

/** Returns the paths of all fields and of the scalar entries of maps. */
function fieldsOf({ properties = {}, items, additionalProperties, anyOf = [] }: JsonSchema, path = ''): string[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const isMapOfScalars = typeof additionalProperties === 'object' && !additionalProperties.properties;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => (field ? [at(name), ...fieldsOf(field, at(name))] : [])),
    ...(isMapOfScalars ? [at('*')] : []),
    ...[items, typeof additionalProperties === 'object' ? additionalProperties : undefined].flatMap((entry) =>
      entry ? fieldsOf(entry, at('*')) : [],
    ),
    ...anyOf.flatMap((alternative) => fieldsOf(alternative, path)),
  ];
}
