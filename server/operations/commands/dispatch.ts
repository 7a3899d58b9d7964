import { codeOf } from '../../base/errors.ts';
import { packageVersion } from '../../base/package-version.ts';
import { buyerCommands } from './buyers.ts';
import { type Command, type CommandContext, describeError, UsageError } from './command.ts';
import { dataKeyCommands } from './data-keys.ts';
import { deliveriesCommands } from './deliveries.ts';
import { exceptionCommands } from './exceptions.ts';
import { lenderCommands } from './lenders.ts';
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
  ...noticeCommands,
  ...settlementCommands,
  ...buyerCommands,
  ...tokenCommands,
  ...securityEventsCommands,
  ...dataKeyCommands,
  ...programCommands,
};

const HELP_OPTIONS: ReadonlySet<string> = new Set(['--help', '-h']);

/**
 * Runs the command at the start of `args`, such as `merchant create`.
 *
 * @returns The exit code: that of the command, 1 if it failed, or 2 if its arguments are invalid.
 */
export async function dispatch(args: string[], context: CommandContext): Promise<number> {
  const { print, log } = context;
  if (args[0] === '--version') {
    print(packageVersion());
    return 0;
  }
  const names = Object.keys(commands);
  const hasHelpWord = args[0] === 'help';
  const words = args.slice(hasHelpWord ? 1 : 0).filter((arg) => !HELP_OPTIONS.has(arg));
  const isHelp = hasHelpWord || words.length < args.length || args.length === 0;
  // The spaces let only whole words match.
  const name = names.find((candidate) => `${words.join(' ')} `.startsWith(`${candidate} `));
  if (name === undefined) {
    const group = names.filter((candidate) => candidate.startsWith(`${words[0]} `));
    const isKnown = words.length === 0 || (words.length === 1 && group.length > 0);
    const usages = (group.length > 0 ? group : names).map(usageOf);
    if (isKnown && isHelp) {
      for (const usage of usages) print(usage);
      return 0;
    }
    if (!isKnown) {
      const suggested = suggestionsFor(words, names).join(' or ');
      log(`Unknown command "${words.slice(0, 2).join(' ')}"${suggested && `: did you mean ${suggested}?`}`);
    }
    log(`Expected one of:\n${usages.join('\n')}`);
    return 2;
  }

  const command = commands[name]!;
  if (isHelp) {
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
  } finally {
    context.progress.stop();
  }
}

function usageOf(name: string): string {
  return `  fairterm ${name} ${commands[name]!.usage}`.trimEnd();
}

/** Suggestions that are shown at most; more would be a list. */
const MAX_SUGGESTIONS = 3;

/** Returns the names that someone may have meant who typed these words: those with the fewest different letters. */
function suggestionsFor(words: readonly string[], names: readonly string[]): readonly string[] {
  const distances = names.map((name) => {
    const parts = name.split(' ');
    const typed = words.slice(0, parts.length).join(' ');
    // The second word of a name alone, such as "export".
    return [name, Math.min(limitedDistanceOf(typed, name), limitedDistanceOf(words[0] ?? '', parts.at(-1)!))] as const;
  });
  const least = Math.min(...distances.map(([, distance]) => distance));
  const nearest = distances.filter(([, distance]) => distance === least && distance < Infinity);
  return nearest.length > MAX_SUGGESTIONS ? [] : nearest.map(([name]) => name);
}

/** Returns the distance of two texts; infinite if more than a third of the letters differ. */
function limitedDistanceOf(typed: string, name: string): number {
  const distance = typed.length > 2 * name.length ? Infinity : distanceOf(typed, name);
  return distance * 3 <= name.length ? distance : Infinity;
}

/** Returns the number of letters to insert, delete, replace or exchange with the next one (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      );
    }
    before = last;
    last = current;
  }
  return last[other.length]!;
}
