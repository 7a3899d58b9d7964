import { expect, it } from 'vitest';
import { disclosureTexts } from '../../../shared/languages/index.ts';
import { type ProgramDocument, rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { program } from '../../support/checkout.ts';
import { createProgram } from '../../support/programs.ts';

it('The fixture of the widget tests equals the program document of the service (update with `vitest -u`)', async () => {
  const short = createProgram({ id: 'short', offers: [program.offers[0]] });
  const document: ProgramDocument = {
    defaultProgramId: 'standard',
    programs: [rateSheet(program), rateSheet(short)],
    texts: disclosureTexts,
  };

  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
    '../../widget/fixtures/standard/storefront/programs',
  );
});
