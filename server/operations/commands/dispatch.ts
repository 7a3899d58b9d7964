import { readSettingsFile } from '../../base/config/settings-file.ts';
import { codeOf } from '../../base/errors.ts';
import { packageVersion } from '../../base/package-version.ts';
import { backupCommands } from './backup.ts';
import { buyerCommands } from './buyers.ts';
import { type Command, type CommandContext, describeError, UsageError } from './command.ts';
import { copyCommands } from './copy.ts';
import { dataKeyCommands } from './data-keys.ts';
import { deliveriesCommands } from './deliveries.ts';
import { distanceOf } from './distance.ts';
import { exceptionCommands } from './exceptions.ts';
import { lenderCommands } from './lenders.ts';
import { listenCommands } from './listen.ts';
import { merchantCommands } from './merchants.ts';
import { noticeCommands } from './notices.ts';
import { programCommands } from './programs.ts';
import { securityEventsCommands } from './security-events.ts';
import { serviceCommands } from './service.ts';
import { settingsCommands } from './settings.ts';
import { settlementCommands } from './settlements.ts';
import { statusCommand } from './status.ts';
import { tokenCommands } from './tokens.ts';
import { userCommands } from './users.ts';

/** All commands by name, in the order of `fairterm help`. */
const commands: Readonly<Record<string, Command>> = {
  ...serviceCommands,
  ...settingsCommands,
  status: statusCommand,
  ...backupCommands,
  ...copyCommands,
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
    print('\nWith `--env FILE`, each command reads settings from a file, unless they are environment variables.');
    return 0;
  }
  try {
    const { rest, file } = withoutEnvOption(words.slice(name.split(' ').length));
    if (file === undefined) return (await command.run(rest, context)) ?? 0;
    const settingsFile = readSettingsFile(file);
    const given = Object.fromEntries(Object.entries(context.env).filter(([, value]) => value));
    return (await command.run(rest, { ...context, env: { ...settingsFile, ...given }, settingsFile })) ?? 0;
  } catch (thrown) {
    log(`fairterm ${name}: ${describeError(thrown)}`);
    if (!(thrown instanceof UsageError) && !codeOf(thrown).startsWith('ERR_PARSE_ARGS')) return 1;
    log(`Usage:\n${usageOf(name)}`);
    return 2;
  } finally {
    context.progress.stop();
  }
}

/** Returns the arguments without `--env FILE`, which every command has. @throws UsageError - there is no file. */
function withoutEnvOption(args: readonly string[]): { rest: string[]; file?: string } {
  const index = args.findIndex((arg) => arg === '--env' || arg.startsWith('--env='));
  if (index === -1) return { rest: [...args] };
  const isJoined = args[index] !== '--env';
  const file = isJoined ? args[index]!.slice('--env='.length) : args[index + 1];
  if (!file) throw new UsageError('expected the path of a settings file after --env');
  return { rest: args.toSpliced(index, isJoined ? 1 : 2), file };
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
