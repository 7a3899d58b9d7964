import { assert, type Infer } from 'superstruct';
import { expect, expectTypeOf, test } from 'vitest';
import { disclosureTexts } from '../../../shared/languages/index.ts';
import type { ProgramDocument as ServedDocument } from '../../../shared/programs/rate-sheet.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { ProgramDocument } from '../../../shared/wire/program-document.ts';
import { program } from '../../support/checkout.ts';

test('ProgramDocument describes the document that the service returns', () => {
  const document: ServedDocument = { defaultProgramId: program.id, programs: [rateSheet(program)], texts: disclosureTexts };

  expect(() => assert(document, ProgramDocument)).not.toThrow();
  expectTypeOf<ServedDocument>().toMatchTypeOf<Infer<typeof ProgramDocument>>();
  expectTypeOf<Infer<typeof ProgramDocument>>().toMatchTypeOf<ServedDocument>();
});
