import { describe, expect, it } from 'vitest';
import { isPersonName } from '../../shared/person-name.ts';

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
  ])('can be %j', (name) => expect(isPersonName(name)).toBe(true));

  it.each([
    ['empty', ''],
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
