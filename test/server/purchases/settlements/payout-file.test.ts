import { describe, expect, it } from 'vitest';
import { parsePayoutFile } from '../../../../server/purchases/settlements/payout-file.ts';

const ID = '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11';
const HEADER = 'transactionId,revision,netCents,bankReference,paidOn';
const row = { transactionId: ID, revision: 3, netCents: 94_642, bankReference: 'B-1', paidOn: '2026-03-06' };
const VALID = `${ID},3,94642,B-1,2026-03-06`;
const messageOf = (text: string) => {
  try {
    parsePayoutFile(text);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return undefined;
};

describe('A payout file', () => {
  it.each([
    ['with a newline at its end', `${HEADER}\n${VALID}\n`],
    ['without one', `${HEADER}\n${VALID}`],
    ['with CRLF', `${HEADER}\r\n${VALID}\r\n`],
    ['with a byte order mark', `\ufeff${HEADER}\n${VALID}\n`],
    [
      'with other columns in another order',
      `merchant,paidOn,netCents,revision,bankReference,transactionId\nAcme,2026-03-06,94642,3,B-1,${ID}\n`,
    ],
    ['with quoted fields', `${HEADER}\n"${ID}","3","94642","B-1","2026-03-06"\n`],
  ])('is accepted %s', (_, text) => {
    expect(parsePayoutFile(text)).toEqual([{ number: 2, ...row }]);
  });

  it('may have empty lines, quotes, commas and line breaks in quoted fields, and states the line of each row', () => {
    const text = `${HEADER},note\n\n${ID},3,-50,"B, ""1""",2026-03-06,"two\nlines"\n${ID},4,0,B-2,2026-03-07,\n`;
    expect(parsePayoutFile(text)).toEqual([
      { ...row, number: 3, netCents: -50, bankReference: 'B, "1"' },
      { ...row, number: 5, revision: 4, netCents: 0, bankReference: 'B-2', paidOn: '2026-03-07' },
    ]);
  });

  it('may have no rows', () => {
    expect(parsePayoutFile(`${HEADER}\n`)).toEqual([]);
  });

  it.each([
    ['that is empty', '', /^row 1: expected the columns transactionId, .*, but transactionId, revision, .* is not there once$/],
    ['without a column', `transactionId,revision,netCents,paidOn\n`, /^row 1: .*, but bankReference is not there once$/],
    ['with a column twice', `${HEADER},paidOn\n`, /^row 1: .*, but paidOn is not there once$/],
    [
      'with amounts in dollars',
      `${HEADER}\n${ID},3,946.42,B-1,2026-03-06\n`,
      /^row 2, netCents: expected whole cents.*"946.42"$/,
    ],
    ['with grouped digits', `${HEADER}\n${ID},3,"94,642",B-1,2026-03-06\n`, /^row 2, netCents: /],
    ['without an id', `${HEADER}\nORDER-1,3,1,B-1,2026-03-06\n`, /^row 2, transactionId: .*"ORDER-1"$/],
    ['with an invalid revision', `${HEADER}\n${ID},0,1,B-1,2026-03-06\n`, /^row 2, revision: /],
    ['with a tab in a bank reference', `${HEADER}\n${ID},3,1,B\t1,2026-03-06\n`, /^row 2, bankReference: .*"B\\t1"$/],
    ['with a control character in one', `${HEADER}\n${ID},3,1,B\u00851,2026-03-06\n`, /^row 2, bankReference: /],
    ['with a line separator in one', `${HEADER}\n${ID},3,1,B\u20281,2026-03-06\n`, /^row 2, bankReference: /],
    ['that reverses the direction of text', `${HEADER}\n${ID},3,1,B\u202e1,2026-03-06\n`, /^row 2, bankReference: /],
    ['that isolates a direction of text', `${HEADER}\n${ID},3,1,B\u20671,2026-03-06\n`, /^row 2, bankReference: /],
    ['without a bank reference', `${HEADER}\n${ID},3,1,,2026-03-06\n`, /^row 2, bankReference: /],
    ['with a date of another form', `${HEADER}\n${ID},3,1,B-1,03/06/2026\n`, /^row 2, paidOn: .*"03\/06\/2026"$/],
    ['with too few fields', `${HEADER}\n${ID},3,1,B-1\n`, /^row 2: expected 5 fields, but received 4\n/],
    ['that pays a line twice', `${HEADER}\n${VALID}\n${VALID}\n`, /^row 3: .*row 2 has the same$/],
    ['with text after a quote', `${HEADER}\n"${ID}"x,3,1,B-1,2026-03-06\n`, /^row 2: expected fields/],
    ['with an open quote', `${HEADER}\n"${ID},3,1,B-1,2026-03-06\n`, /^row 2: expected fields/],
  ])('is rejected %s, with the row and the field', (_, text, message) => {
    expect(messageOf(text)).toMatch(message);
  });

  it('is rejected with at most 20 errors at a time', () => {
    const lines = messageOf(`${HEADER}\n${`${ID},x,1,B-1,2026-03-06\n`.repeat(30)}`)!.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatch(/^and \d+ more$/);
  });
});
