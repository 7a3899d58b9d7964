import { parseArgs } from 'node:util';
import { importProgram } from '../merchants/import-program.ts';
import { type Command, onlyOne, required, withDatabase } from './command.ts';
import { readProgram } from './read-program.ts';

/** Gives merchants a program, or its next version, once it is checked. Everything is written, or nothing. */
export const programImport: Command = {
  usage: 'program import FILE --merchant M [--merchant M2 ...] [--default] [--json]    (FILE - reads standard input)',
  run: async (args, surroundings) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        merchant: { type: 'string', multiple: true, default: [] },
        default: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const file = onlyOne('FILE', positionals);
    required('--merchant', values.merchant[0]);

    const { answer, remark, clock } = surroundings;
    const { program, refusals, warnings } = await readProgram(file, surroundings);
    if (!program) {
      remark('Nothing was written.');
      if (values.json) answer(JSON.stringify({ refusals, warnings }));
      return 1;
    }

    const { id, version } = program;
    const imported = await withDatabase(surroundings, (database) =>
      importProgram(database, program, values.merchant, { asDefault: values.default }, clock.now()),
    );
    if (values.json) answer(JSON.stringify({ program: id, version, merchants: imported, warnings }));
    for (const { merchantId, programId, outcome, isDefault, isSold } of imported) {
      const what = outcome === 'added' ? 'Added' : 'Already there:';
      if (!values.json) answer(`${what} ${id}, version ${version}, merchant ${merchantId}, program ${programId}`);
      if (isDefault && !isSold)
        remark(`warning: merchant ${merchantId} has "${id}" as its default program, which is not sold today`);
    }
    return 0;
  },
};
