import { readFileSync } from 'node:fs';
import { fictionalPhoneIn, reservedDomainIn } from '../../../shared/fictional.ts';
import { messageOf } from '../errors.ts';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { type SettingName, SETTINGS } from './settings.ts';

/** Settings that are missing or invalid. The message has one line for each, which begins with its name and never contains a secret. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Returns the problems of settings. @throws The error, if it is of another kind. */
export function problemsOf(thrown: unknown): readonly string[] {
  if (thrown instanceof SettingsError) return thrown.problems;
  if (thrown instanceof Error && thrown.name === 'Error') return [thrown.message];
  throw thrown;
}

/** Returns what `read` returns. After an error it returns undefined, which is never used, because `readAll` throws the error. */
export type ReadOne = <Value>(read: () => Value) => Value;

/**
 * Reads several settings, so that the error has the problems of all of them rather than the first.
 *
 * @throws SettingsError - some are missing or invalid. Of each, only the first problem is listed.
 */
export function readAll<Value>(readEach: (read: ReadOne) => Value): Value {
  const problems = new Map<string, string>();
  const value = readEach(<One>(read: () => One) => {
    try {
      return read();
    } catch (thrown) {
      for (const problem of problemsOf(thrown)) {
        const name = problem.split(':', 1)[0]!;
        if (!problems.has(name)) problems.set(name, problem);
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see ReadOne
      return undefined as One;
    }
  });
  if (problems.size > 0) throw new SettingsError([...problems.values()]);
  return value;
}

/**
 * Returns the text of a setting as it was given; undefined if it is not set or empty. A secret can also be in a file.
 *
 * @throws Error - the file cannot be read, or both are set.
 */
export function givenIn(env: Env, name: SettingName): string | undefined {
  const value = env[name]?.trim() || undefined;
  const fileName = `${name}_FILE`;
  const file = SETTINGS[name].isSecret && env[fileName];
  if (!file) return value;
  if (value !== undefined) throw new Error(`${name}: expected no value, because ${fileName} is set`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    throw new Error(`${fileName}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Returns a setting, or its default; undefined if it has none. @throws Error - the setting is invalid. */
export function settingIn(env: Env, name: SettingName, mode: Mode): string | undefined {
  const { default: fallback, expected, isValid, isReal, isSecret, mayBeSecret } = SETTINGS[name];
  const value = givenIn(env, name);
  if (value === undefined) return fallback(mode) || undefined;
  if (!isValid(value, mode)) {
    throw new Error(
      `${name}: expected ${expected(mode)}, but received ${isSecret || mayBeSecret ? 'another value' : `"${value}"`}`,
    );
  }
  const fictional = isReal && mode === 'live' ? (reservedDomainIn(value) ?? fictionalPhoneIn(value)) : undefined;
  if (fictional !== undefined) {
    throw new Error(
      `${name}: expected ${expected(mode).split(' such as ')[0]} that exists, but received "${fictional}", which is reserved for examples`,
    );
  }
  return value;
}

/** Returns a setting that is a number. @throws Error - it is invalid. */
export function numberIn(env: Env, name: SettingName, mode: Mode): number {
  return Number(settingIn(env, name, mode));
}

/**
 * Returns settings that are required together; undefined if neither they nor the optional ones are set.
 *
 * @throws SettingsError - some are missing or invalid.
 */
export function groupIn<Name extends SettingName, Optional extends SettingName = never>(
  env: Env,
  mode: Mode,
  names: readonly Name[],
  optional: readonly Optional[] = [],
): (Record<Name, string> & Record<Optional, string | undefined>) | undefined {
  const set = [...names, ...optional].find((name) => env[name]?.trim() || (SETTINGS[name].isSecret && env[`${name}_FILE`]));
  if (set === undefined) return undefined;
  return readAll((read) => {
    const required = (name: SettingName) => {
      const value = settingIn(env, name, mode);
      if (value === undefined) throw new Error(`${name}: expected ${SETTINGS[name].expected(mode)}, because ${set} is set`);
      return value;
    };
    const values = [
      ...names.map((name) => [name, read(() => required(name))] as const),
      ...optional.map((name) => [name, read(() => settingIn(env, name, mode))] as const),
    ];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a value of each name
    return Object.fromEntries(values) as Record<Name, string> & Record<Optional, string | undefined>;
  });
}
