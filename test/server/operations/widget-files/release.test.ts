import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { releaseOf } from '../../../../server/operations/widget-files/release.ts';

const contents = new Map([
  ['b.js', Buffer.from('export const b = "ñ";')],
  ['a.css', Buffer.from('a{}')],
]);
const versionOf = (entries: Iterable<[string, string]>) =>
  releaseOf('1.2.3', new Map([...entries].map(([name, text]) => [name, Buffer.from(text)]))).version;

describe('A release of the widget', () => {
  it('has its files in alphabetical order with their integrity hashes', () => {
    const { version, files } = releaseOf('1.2.3', contents);
    expect(version).toMatch(/^1\.2\.3-[0-9a-f]{12}$/);
    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a.css', 3],
      ['b.js', 22],
    ]);
    const hash = createHash('sha384').update('export const b = "ñ";').digest('base64');
    expect(files[1]).toMatchObject({ content: 'export const b = "ñ";', integrity: `sha384-${hash}` });
  });

  it('does not depend on the order in which its files are read', () => {
    expect(releaseOf('1.2.3', new Map([...contents].toReversed()))).toEqual(releaseOf('1.2.3', contents));
  });

  it.each<[title: string, entries: [string, string][]]>([
    ['other content', [['a.js', 'let b']]],
    ['another name', [['b.js', 'let a']]],
    ['an additional file', [['a.js', 'let a'], ['b.js', '']]], // prettier-ignore
    ['content that looks like another file', [['a.js', 'let a\nb.js\n0\n']]],
    ['no files', []],
  ])('has another version with %s', (_title, entries) => {
    expect(versionOf(entries)).not.toBe(versionOf([['a.js', 'let a']]));
  });

  it('has another version for another version of the package', () => {
    expect(releaseOf('1.2.4', contents).version).not.toBe(releaseOf('1.2.3', contents).version);
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x61, 0xff])],
    ['an incomplete character', Buffer.from('ñ').subarray(0, 1)],
    ['a NUL, which PostgreSQL cannot store', Buffer.from('a\0b')],
  ])('is rejected with %s', (_title, bytes) => {
    expect(() => releaseOf('1.2.3', new Map([['a.js', bytes]]))).toThrow('a.js is not text in UTF-8');
  });
});
