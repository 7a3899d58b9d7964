import { type Command, reasonOf, type Surroundings, UsageError } from './command.ts';

type Commands = Record<string, Command>;

/**
 * Every family of commands by its first word, in the order they are listed. Each is loaded when it is asked for: `migrate` has
 * no use for all that `serve` is made of.
 */
const families: Record<string, () => Promise<Commands>> = {
  serve: async () => (await import('./serve.ts')).serveCommands,
  migrate: async () => (await import('./migrate.ts')).migrateCommands,
  merchant: async () => (await import('./merchant.ts')).merchantCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  'callback-secret': async () => (await import('./callback-secret.ts')).callbackSecretCommands,
  deliveries: async () => (await import('./deliveries.ts')).deliveriesCommands,
  token: async () => (await import('./token.ts')).tokenCommands,
  'signing-key': async () => (await import('./signing-key.ts')).signingKeyCommands,
  program: async () => (await import('./program.ts')).programCommands,
  quote: async () => (await import('./quote.ts')).quoteCommands,
  audit: async () => (await import('./audit.ts')).auditCommands,
  'address-hash': async () => (await import('./address-hash.ts')).addressHashCommands,
};

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/**
 * Runs the command that `args` begins with, `merchant create` for example.
 *
 * @returns The exit code: 0, 1 for a refusal, which is one sentence, or 2 when it was written wrong; and what a command says itself.
 */
export async function dispatch(args: string[], surroundings: Surroundings): Promise<number> {
  const { answer, remark } = surroundings;
  const first = args[0] ?? 'help';
  if (HELP.has(first)) {
    for (const command of Object.values(await allCommands())) answer(listed(command));
    return 0;
  }
  const commands = Object.hasOwn(families, first) ? await families[first]!() : await allCommands();
  const name = Object.keys(commands).find((words) => `${args.join(' ')} `.startsWith(`${words} `));
  if (name === undefined) {
    remark(`Expected one of:\n${Object.values(commands).map(listed).join('\n')}`);
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

async function allCommands(): Promise<Commands> {
  const loaded = await Promise.all(Object.values(families).map((load) => load()));
  return Object.assign({}, ...loaded);
}

function listed({ usage }: Command): string {
  return `  fairterm ${usage}`;
}

function isUsageError(thrown: unknown): boolean {
  return thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
}
