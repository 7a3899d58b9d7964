import { codeOf } from '../errors.ts';
import { buyerCommands } from './buyers.ts';
import { type Command, type CommandContext, describeError, UsageError } from './command.ts';
import { dataKeyCommands } from './data-keys.ts';
import { deliveriesCommands } from './deliveries.ts';
import { exceptionCommands } from './exceptions.ts';
import { lenderCommands } from './lenders.ts';
import { lenderEventCommands } from './lender-events.ts';
import { listenCommands } from './listen.ts';
import { merchantCommands } from './merchants.ts';
import { noticeCommands } from './notices.ts';
import { programCommands } from './programs.ts';
import { securityEventsCommands } from './security-events.ts';
import { serviceCommands } from './service.ts';
import { settlementCommands } from './settlements.ts';
import { tokenCommands } from './tokens.ts';
import { userCommands } from './users.ts';

/** All commands by name, in the order of `fairterm help`. */
const commands: Readonly<Record<string, Command>> = {
  ...serviceCommands,
  ...merchantCommands,
  ...userCommands,
  ...deliveriesCommands,
  ...listenCommands,
  ...exceptionCommands,
  ...lenderCommands,
  ...lenderEventCommands,
  ...noticeCommands,
  ...settlementCommands,
  ...buyerCommands,
  ...tokenCommands,
  ...securityEventsCommands,
  ...dataKeyCommands,
  ...programCommands,
};

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/**
 * Runs the command at the start of `args`, such as `merchant create`.
 *
 * @returns The exit code: that of the command, 1 if it failed, or 2 if its arguments are invalid.
 */
export async function dispatch(args: string[], context: CommandContext): Promise<number> {
  const { print, log } = context;
  const first = args[0] ?? 'help';
  if (HELP.has(first)) {
    for (const name of Object.keys(commands)) print(usageOf(name));
    return 0;
  }
  const name = Object.keys(commands).find((candidate) => `${args.join(' ')} `.startsWith(`${candidate} `));
  if (name === undefined) {
    const related = Object.keys(commands).filter((candidate) => candidate.startsWith(`${first} `));
    const expected = related.length > 0 ? related : Object.keys(commands);
    log(`Expected one of:\n${expected.map(usageOf).join('\n')}`);
    return 2;
  }

  const command = commands[name]!;
  if (args.includes('--help') || args.includes('-h')) {
    print(usageOf(name));
    for (const line of command.help ?? []) print(line);
    return 0;
  }
  try {
    return (await command.run(args.slice(name.split(' ').length), context)) ?? 0;
  } catch (thrown) {
    log(`fairterm ${name}: ${describeError(thrown)}`);
    if (!(thrown instanceof UsageError) && !codeOf(thrown).startsWith('ERR_PARSE_ARGS')) return 1;
    log(`Usage:\n${usageOf(name)}`);
    return 2;
  }
}

function usageOf(name: string): string {
  return `  fairterm ${name} ${commands[name]!.usage}`.trimEnd();
}
