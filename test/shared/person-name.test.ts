import { describe, expect, it } from 'vitest';
import { isPersonName, refusedCharacterOf, splitFullName } from '../../shared/person-name.ts';

describe('A person’s name', () => {
  it.each([
    'Ada',
    'Ada Lovelace',
    "Sinéad O'Connor-Łukasz",
    'D’Arcy',
    'J.R.R. Tolkien',
    'J.-P. Dupont',
    'Martin Luther King Jr.',
    'Jose\u0301 Ñandú',
    '李小龍',
    'レオナルド・ディカプリオ',
    'محمد علي',
    'می\u200cخواهم',
    'Gal·la',
    'Kaʻiulani',
    'Anne–Marie',
    'Smith—Jones',
    'Sinéad O′Connor',
    'Martin King, Jr.',
    'Martin King,Jr., Esq.',
    'Grace Hopper, Ph.D.',
  ])('can be %j', (name) => expect(isPersonName(name)).toBe(true));

  it.each([
    ['empty', ''],
    ['only a suffix after a comma', ', Jr.'],
    ['a comma that no suffix follows', 'Lovelace, Ada'],
    ['a comma that a suffix and more follow', 'King, Jr. call now'],
    ['a comma at the end', 'King,'],
    ['two commas', 'King,, Jr.'],
    ['a suffix with a digit', 'King, 3rd'],
    ['only punctuation', ' .-'],
    ['a domain', 'evil.com'],
    ['a domain after a name', 'Ada evil.co.uk now'],
    ['a domain with accents', 'e\u0301vil.e\u0301u'],
    ['a domain in another script', 'пример.рф'],
    ['a domain with a wide period', 'evil．com'],
    ['a domain with an ideographic period', 'evil。com'],
    ['a URL', 'https://evil.example'],
    ['a URL without a domain', 'http://localhost'],
    ['an e-mail address', 'eve@example'],
    ['a phone number', 'Call 5550100100'],
    ['digits in another script', 'Ada ٥٥٥'],
    ['an amount', 'Ada $'],
    ['an exclamation', 'You won!'],
    ['two lines', 'Ada\nLovelace'],
    ['text with a direction override', 'Ada \u202emoc.live'],
    ['markup', '<b>Ada</b>'],
    ['an emoji', 'Ada 🎉'],
  ])('cannot be %s: %j', (_case, name) => expect(isPersonName(name)).toBe(false));
});

it.each([
  ['John 3rd', '3'],
  ['Lovelace, Ada', ','],
  ['Ada 🎉 Lovelace', '🎉'],
  ['King, Jr. & Sons', ','],
  ['Ada & Grace', '&'],
  ['evil.com', undefined],
  ['Martin King, Jr.', undefined],
])('The first refused character of the name %j is %j', (name, character) => {
  expect(refusedCharacterOf(name)).toBe(character);
});

it.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Robert Downey Jr.', 'Robert', 'Downey Jr.'],
  ['Robert Downey, Jr.', 'Robert', 'Downey, Jr.'],
  ['Robert Downey , Jr.', 'Robert', 'Downey , Jr.'],
  ['Robert Downey ,Jr.', 'Robert', 'Downey ,Jr.'],
  ['Robert , Jr.', 'Robert , Jr.', ''],
])('The full name %j has the first name %j and the last name %j', (fullName, firstName, lastName) => {
  expect(splitFullName(fullName)).toMatchObject({ firstName, lastName });
});
