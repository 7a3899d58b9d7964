import type { Infer } from 'superstruct';
import { expectTypeOf, test } from 'vitest';
import type { ProgramDocument as Made } from '../../../shared/programs/rate-sheet.ts';
import { ProgramDocument } from '../../../shared/wire/program-document.ts';

test('the programs that pages quote from are written down as they are made', () => {
  type Written = Infer<typeof ProgramDocument>;
  expectTypeOf<Made>().toMatchTypeOf<Written>();
  expectTypeOf<Written>().toMatchTypeOf<Made>();
});
