import { addressHashCommands } from './address-hash.ts';
import { advertisementCommands } from './advertisement.ts';
import { auditCommands } from './audit.ts';
import { callbackSecretCommands } from './callback-secret.ts';
import { type Command, reasonOf, type Surroundings, UsageError } from './command.ts';
import { deliveriesCommands } from './deliveries.ts';
import { keyCommands } from './key.ts';
import { merchantCommands } from './merchant.ts';
import { migrateCommands } from './migrate.ts';
import { programCommands } from './program.ts';
import { quoteCommands } from './quote.ts';
import { serveCommands } from './serve.ts';
import { signingKeyCommands } from './signing-key.ts';
import { tokenCommands } from './token.ts';

/** Every command by its name, in the order they are listed. */
const commands: Record<string, Command> = {
  ...serveCommands,
  ...migrateCommands,
  ...merchantCommands,
  ...keyCommands,
  ...callbackSecretCommands,
  ...deliveriesCommands,
  ...tokenCommands,
  ...signingKeyCommands,
  ...programCommands,
  ...quoteCommands,
  ...advertisementCommands,
  ...auditCommands,
  ...addressHashCommands,
};

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/**
 * Runs the command that `args` begins with, `merchant create` for example.
 *
 * @returns The exit code: 0, 1 for a refusal, which is one sentence, or 2 when it was written wrong; and what a command says itself.
 */
export async function dispatch(args: string[], surroundings: Surroundings): Promise<number> {
  const { answer, remark } = surroundings;
  if (args.length === 0 || HELP.has(args[0]!)) {
    for (const command of Object.values(commands)) answer(listed(command));
    return 0;
  }
  const name = Object.keys(commands).find((words) => `${args.join(' ')} `.startsWith(`${words} `));
  if (name === undefined) {
    const family = Object.entries(commands).filter(([words]) => words.startsWith(`${args[0]} `));
    const expected = family.length > 0 ? family.map(([, command]) => command) : Object.values(commands);
    remark(`Expected one of:\n${expected.map(listed).join('\n')}`);
    return 2;
  }

  const command = commands[name]!;
  if (args.includes('--help') || args.includes('-h')) {
    answer(listed(command));
    return 0;
  }
  try {
    return (await command.run(args.slice(name.split(' ').length), surroundings)) ?? 0;
  } catch (thrown) {
    remark(`fairterm ${name}: ${reasonOf(thrown)}`);
    if (!isUsageError(thrown)) return 1;
    remark(`Usage:\n${listed(command)}`);
    return 2;
  }
}

function listed({ usage }: Command): string {
  return `  fairterm ${usage}`;
}

function isUsageError(thrown: unknown): boolean {
  return thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
}
