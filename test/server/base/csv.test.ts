import { expect, it, test } from 'vitest';
import { csvHeader, csvRows } from '../../../server/base/csv.ts';

const columns = [['text', (value: string | number | null) => value]] as const;

test.each([
  ['ORDER-1', 'ORDER-1'],
  ['', ''],
  ['a, b', '"a, b"'],
  ['a "b"', '"a ""b"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['=HYPERLINK("http://a.example","b")', `"'=HYPERLINK(""http://a.example"",""b"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  [' =1', `"' =1"`],
  ['\t=1', `"'\t'=1"`],
  // Spreadsheets of other languages begin a cell after a semicolon, and text with tabs may be pasted into one.
  ["a;=cmd|' /C calc'!A0", `"a;'=cmd|' /C calc'!A0"`],
  ['a; \u00a0-1;@b;c=d', `"a; \u00a0'-1;'@b;c=d"`],
  ['a;"=1"', `"a;""'=1"""`],
  ['a\t+1', `"a\t'+1"`],
  ['two\n=lines', `"two\n'=lines"`],
  ['=a;=b', `"'=a;'=b"`],
  ['a;b', 'a;b'],
  ['1 - 2', '1 - 2'],
  ['＝1', `"'＝1"`],
  ['1-2', '1-2'],
])('The text %j is the cell %j', (text, cell) => {
  expect(csvRows(columns, [text])).toBe(`${cell}\r\n`);
});

it('writes amounts as numbers, also negative ones, and null as an empty cell', () => {
  expect(csvRows(columns, [-1_250])).toBe('-1250\r\n');
  expect(csvRows(columns, [null])).toBe('\r\n');
  expect(csvHeader(columns)).toBe('text\r\n');
});
