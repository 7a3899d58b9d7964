import { parseArgs } from 'node:util';
import { lintAdvertisement } from '../../shared/advertising/lint.ts';
import { languages } from '../../shared/disclosure/languages.ts';
import type { Language } from '../../shared/disclosure/texts.ts';
import { lintLines } from './advertisement-text.ts';
import { type Command, onlyOne } from './command.ts';
import { choiceOption } from './options.ts';
import { readText } from './text-file.ts';

export const advertisementCommands: Record<string, Command> = {
  'advertisement lint': {
    usage: 'advertisement lint FILE [--language en|es] [--currency C] [--json]    (FILE - reads standard input)',
    run: async (args, { input, answer }) => {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { language: { type: 'string' }, currency: { type: 'string' }, json: { type: 'boolean' } },
      });
      const file = onlyOne('FILE', positionals);
      const language = choiceOption('--language', values.language, Object.keys(languages) as Language[]);
      const currency = currencyOption(values.currency);

      const text = await readText(file, input);
      const lint = lintAdvertisement(text, { currency, ...(language && { language }) });
      if (values.json) answer(JSON.stringify(lint));
      else for (const line of lintLines(lint, currency)) answer(line);
      return lint.findings.length > 0 ? 1 : 0;
    },
  },
};

function currencyOption(value = 'USD'): string {
  const code = value.toUpperCase();
  if (Intl.supportedValuesOf('currency').includes(code)) return code;
  throw new Error(`--currency: expected an ISO 4217 code, but received "${value}"`);
}
