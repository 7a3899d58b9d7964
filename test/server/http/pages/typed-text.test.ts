import { describe, expect, it } from 'vitest';
import { signatureFields } from '../../../../server/checkout/steps/agreement.ts';
import { contactFields } from '../../../../server/checkout/steps/details/form.ts';
import { containsCardNumber, readForm, redisplayedForm } from '../../../../server/http/pages/read-form.ts';
import { texts } from '../../../../server/base/texts.ts';
import { line } from '../../../../shared/wire/fields.ts';
import { typed } from '../../../support/checkout.ts';

const readName = (signedName: string) => readForm(signatureFields, { ...typed, signedName });

describe('A signed name is stored without invisible characters:', () => {
  it.each([
    ['José Ñandú', 'José Ñandú'],
    ['Jose\u0301', 'José'],
    ["Sinéad O'Connor-Łukasz", "Sinéad O'Connor-Łukasz"],
    ['D’Arcy', 'D’Arcy'],
    ['李小龍', '李小龍'],
    ['辻\u{e0100}さくら', '辻\u{e0100}さくら'],
    ['יוסי כהן', 'יוסי כהן'],
    ['محمد علي', 'محمد علي'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
    ['  Ada \t\u00a0 Lovelace\n', 'Ada Lovelace'],
    ['\u202aAda Lovelace\u202c', 'Ada Lovelace'],
    ['Ada \u202eecalevoL\u202c', 'Ada ecalevoL'],
    ['\u2066Ada\u2069 \u2067Love\u200blace\u2069', 'Ada Lovelace'],
    ['Ada\ufeff\u00ad\u2060\u061c\u200e\u200f Lovelace', 'Ada Lovelace'],
  ])('%j as %j', (signedName, stored) => {
    expect(readName(signedName)).toMatchObject({ ok: true, values: { signedName: stored } });
  });
});

describe('A signed name is rejected, and shown again without invisible characters, in at most 500 UTF-16 code units:', () => {
  it.each([
    ['a NUL', 'Ada\u0000 Lovelace', 'Ada Lovelace'],
    ['an escape sequence', 'Ada \u001b[31mLovelace', 'Ada [31mLovelace'],
    ['Latin-1 control characters', 'Ada \u0085\u009bLovelace', 'Ada Lovelace'],
    ['noncharacters', 'Ada\uffff \ufdd0Lovelace\u{10fffe}', 'Ada Lovelace'],
    ['a lone surrogate', 'Ada \ud83d', 'Ada'],
    ['only invisible characters', '\u202e\u200b\u3164\uffa0', ''],
    ['no letter', '–– 7 ––', '–– 7 ––'],
    ['only emoji', '👩‍👩‍👧', '👩‍👩‍👧'],
    ['10,000 characters', 'é'.repeat(10_000), 'é'.repeat(500)],
    ['10,000 surrogate pairs', '𝒜'.repeat(10_000), '𝒜'.repeat(250)],
    ['a character and 10,000 surrogate pairs', `A${'𝒜'.repeat(10_000)}`, `A${'𝒜'.repeat(249)}`],
    ['a card number, which is not shown again', '4242 4242 4242 4242', ''],
  ])('%s', (_title, signedName, redisplayed) => {
    const read = readName(signedName);
    expect(read.ok ? read.values : read.errors).toEqual({ signedName: expect.any(Function) });
    expect(read).toMatchObject({ ok: false, values: { signedName: redisplayed } });
  });
});

describe('A card number', () => {
  it.each([
    '4242424242424242',
    '4242-4242-4242-4242',
    'Ada 4242 4242 4242 4242, 12/29, 123',
    '3782 822463 10005',
    '5555.5555.5555.4444',
    '6011000990139424',
    '4222222222222',
    '4242424242424242@',
    '4242424242424242@1',
    '4242 4242 4242 4242@example.com',
    'ada@example.com 4242424242424242',
    '4242424242424242@example.com 5555555555554444',
    'ada@4242424242424242.com',
    '4242424242424242,ada@example.com',
    '4242424242424242;ada@example.com',
  ])('is found in %j', (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    '4242424242424241',
    '12 Analytical Way, Apt 4242',
    '555 010 0100',
    '424242424242',
    '42424242424242424242',
    '62701-1234',
    '4242424242424242@example.com',
    'ada.4242424242424242+shop@example.com',
    '4242-4242-4242-4242@example.com',
    '4242424242424242@example',
  ])('is not found in %j', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it.each(Object.keys(contactFields))('is rejected in the field %s and not shown again', (name) => {
    const read = readForm(contactFields, { ...typed, [name]: '4242 4242 4242 4242' });
    expect(read).toMatchObject({ ok: false, values: { [name]: '' }, errors: { [name]: expect.any(Function) } });
  });
});

it('An e-mail address may have the digits of a card before its @, and is shown again if it is refused', () => {
  const email = '4242424242424242@example.com';
  expect(readForm(contactFields, { ...typed, email })).toMatchObject({ ok: true, values: { email } });
  for (const refused of ['4242424242424242@example', '4242424242424242@example..com', '4242424242424242@exa mple.com']) {
    const read = readForm(contactFields, { ...typed, email: refused });
    expect(read).toMatchObject({ ok: false, values: { email: refused } });
    expect(read.ok || read.errors['email']!(texts.en)).toBe('Enter an email address, like name@example.com');
    expect(redisplayedForm({ email: refused })).toMatchObject({ email: refused });
  }
});

it('An identifier may have the digits of a card, and is shown again; other fields have a message about card numbers', () => {
  const field = { struct: line(200), message: () => 'Enter a number' };
  const rules = { tracking: { ...field, isIdentifier: true }, note: field };
  const cardLike = '791234567890122';
  const read = readForm(rules, { tracking: cardLike, note: cardLike });
  expect(read).toMatchObject({ ok: false, values: { tracking: cardLike, note: '' }, errors: { note: expect.any(Function) } });
  expect(read.ok || read.errors['note']!(texts.en)).toBe(texts.en.form.cardNumber);
  expect(readForm(rules, { tracking: cardLike, note: '' })).toEqual({ ok: true, values: { tracking: cardLike, note: '' } });
});

it('Phone numbers, ZIP codes and e-mail addresses are accepted with invisible characters around them', () => {
  const pasted = { phone: '\u202a(555) 010-0100\u202c', zip: '\u200e62701\u20131234', email: ' ada@example.com\ufeff' };
  expect(readForm(contactFields, { ...typed, ...pasted })).toMatchObject({
    ok: true,
    values: { phone: '5550100100', zip: '62701', email: 'ada@example.com' },
  });
});

it('Text that is far longer than any field is rejected', () => {
  for (const text of [`${' '.repeat(20_000)}Ada`, `${'\u200b'.repeat(20_000)}Ada`, 'é'.repeat(1_001)]) {
    const read = readForm(contactFields, { ...typed, firstName: text, address2: text });
    expect(read).toMatchObject({ ok: false, errors: { firstName: expect.any(Function), address2: expect.any(Function) } });
  }
});

describe('Accents on one letter', () => {
  // Canonically ordered and not composed with each other.
  const marks = (count: number) => '\u0316'.repeat(count);

  it('are accepted up to 30', () => {
    expect(readForm(contactFields, { ...typed, address: `q${marks(30)}` })).toMatchObject({ ok: true });
  });

  it.each([
    ['31', `q${marks(31)}`],
    ['31, with an invisible character among them', `q${marks(16)}\u200b${marks(15)}`],
    ['31, with a control character among them', `q${marks(16)}\u0001${marks(15)}`],
  ])('are rejected from %s, and shown again without the rest', (_title, address) => {
    expect(readForm(contactFields, { ...typed, address })).toMatchObject({
      ok: false,
      values: { address: `q${marks(30)}` },
      errors: { address: expect.any(Function) },
    });
  });
});

it('Truncated text remains valid Unicode', () => {
  for (const start of ['', 'A', 'AB'])
    expect(redisplayedForm({ city: start + '👩'.repeat(400) })).toMatchObject({
      city: start + '👩'.repeat((500 - start.length) >> 1),
    });
});
