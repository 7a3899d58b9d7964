import { readFileSync, writeFileSync } from 'node:fs';
import { codeOf, messageOf } from '../errors.ts';
import { newDataKey } from '../key-ring.ts';
import type { Mode } from '../mode.ts';
import { SettingsError } from './read-settings.ts';
import { type Setting, SETTING_GROUPS } from './settings.ts';

/** A line with a name, and a value in which systemd, Docker and Node.js see the same: no quotes around it, no escapes, no comment. */
const LINE = /^([A-Za-z_]\w*)=(?!\s*["'`])([^$#\\]*)$/;

/**
 * Reads a settings file: lines of `NAME=value`, comments and empty lines.
 *
 * @throws SettingsError - the file cannot be read, a name is repeated, or a line is another one; the message contains no value.
 */
export function readSettingsFile(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new SettingsError([`--env: ${messageOf(thrown)}`]);
  }
  const settings: Record<string, string> = {};
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    const place = `${file} line ${index + 1}`;
    if (name === undefined || value === undefined) {
      problems.push(
        `${place}: expected NAME=value without quotes, $, # and \\, which programs read differently; write %24 and %23 in URLs`,
      );
    } else if (Object.hasOwn(settings, name)) problems.push(`${place}: expected ${name} once`);
    else settings[name] = value.trim();
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** The longest line of a comment. */
const COMMENT_WIDTH = 100;

/**
 * Writes a settings file with new data keys, which only its user can read. What a live service requires is empty, and everything else a
 * comment with its default.
 *
 * @throws Error - the file exists or cannot be written.
 */
export function writeSettingsFile(file: string, mode: Mode, year: number): void {
  const given: Readonly<Record<string, string>> = {
    MODE: mode,
    DATA_KEYS: newDataKey(String(year)),
    ...(mode === 'live' && { TRUST_PROXY: '1' }),
  };
  const lines = [
    `Settings of Fairterm for \`fairterm COMMAND --env ${file}\`, \`EnvironmentFile\` of systemd and \`--env-file\` of Docker and Node.js. Check them with \`fairterm config check --env ${file}\`.`,
    'Values have no quotes, $, # and \\: programs read these differently. Back up DATA_KEYS apart from the database.',
  ].flatMap(commentLines);
  for (const [group, settings] of Object.entries<Record<string, Setting>>(SETTING_GROUPS)) {
    if ('DEMO_PORT' in settings) continue;
    lines.push('', `# ${group}`);
    for (const [name, setting] of Object.entries(settings)) {
      const isNeeded = name in given || (mode === 'live' && setting.live !== undefined);
      const value = given[name] ?? setting.default(mode);
      const { purpose, expected } = setting;
      lines.push('', ...commentLines(`${plainText(purpose)}: ${expected(mode)}`), `${isNeeded ? '' : '#'}${name}=${value}`);
    }
  }
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw codeOf(thrown) === 'EEXIST' ? new Error(`${file}: expected a file that does not exist`) : thrown;
  }
}

/** Removes links and code marks of Markdown. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1').replaceAll('`', '');
}

function commentLines(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > COMMENT_WIDTH) lines.push('#');
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines;
}
