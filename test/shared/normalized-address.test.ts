import { createHash } from 'node:crypto';
import { normalizedAddressHash as clientHash } from '@fairterm/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NormalizableAddress, normalizedAddress, normalizedAddressHash } from '../../shared/normalized-address.ts';
import { codeBlock } from '../support/docs.ts';

const plain = { address1: '1 Main St', locality: 'Austin', region: 'TX', postalCode: '78701', country: 'US' };
const PLAIN = '1 MAIN ST|AUSTIN|TX|78701|US';

describe('normalizedAddress', () => {
  it.each<[what: string, change: Partial<NormalizableAddress>]>([
    ['without changes', {}],
    ['in lower case', { address1: '1 main st', locality: 'austin', region: 'tx', country: 'us' }],
    ['in upper case', { address1: '1 MAIN ST', locality: 'AUSTIN' }],
    [
      'with leading and trailing spaces',
      { address1: '  1 Main St ', locality: ' Austin', region: ' TX ', postalCode: ' 78701 ', country: ' US' },
    ],
    ['with repeated spaces, tabs and line breaks', { address1: '1  Main\t\r\nSt' }],
    ['with non-breaking and wide spaces', { address1: '1\u00a0Main\u3000St', locality: '\u2003Austin\u202f' }],
    ['with line separators', { address1: '1\u2028Main\u0085St' }],
    ['with ZIP+4', { postalCode: '78701-1234' }],
    ['with ZIP+4 without a hyphen', { postalCode: '787011234' }],
    ['with a country prefix in the region', { region: 'US-TX' }],
    ['with a country prefix in lower case', { region: 'us-tx' }],
    ['in full-width characters', { address1: '１ Ｍａｉｎ　Ｓｔ', postalCode: '７８７０１' }],
    ['in mathematical characters', { locality: '𝐀𝐮𝐬𝐭𝐢𝐧' }],
  ])('returns the same address %s', (_case, change) => {
    expect(normalizedAddress({ ...plain, ...change })).toBe(PLAIN);
  });

  it.each<[what: string, one: string, other: string, normalized: string]>([
    ['composed and decomposed accents', 'Rue Ren\u00e9', 'rue rene\u0301', 'RUE REN\u00c9'],
    ['ß and ss', 'Haupt\u00dfta\u00dfe', 'HAUPTSSTASSE', 'HAUPTSSTASSE'],
    ['a letter whose upper case is decomposed', '\u0390', '\u03aa\u0301', '\u03aa\u0301'],
    ['final and regular sigma', '\u039f\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3', '\u039f\u0394\u038c\u03a3'],
    ['ligatures and letters', '\ufb01fth', 'Fifth', 'FIFTH'],
    ['a fraction character and its digits', '12\u00bd Elm', '121\u20442 elm', '121\u20442 ELM'],
  ])('treats %s as equal', (_case, one, other, normalized) => {
    const [first, second] = [one, other].map((address1) => normalizedAddress({ ...plain, address1 }));
    expect(first).toBe(`${normalized}|AUSTIN|TX|78701|US`);
    expect(second).toBe(first);
  });

  it.each<[what: string, change: Partial<NormalizableAddress>]>([
    ['house number', { address1: '2 Main St' }],
    ['spelling of the street', { address1: '1 Main Street' }],
    ['accent', { locality: 'Aústin' }],
    ['city', { locality: 'Dallas' }],
    ['state', { region: 'CA' }],
    ['zip', { postalCode: '78702' }],
    ['country', { country: 'CA' }],
    ['country prefix in the region that differs from the country', { region: 'CA-TX' }],
  ])('returns another address for another %s', (_case, change) => {
    expect(normalizedAddress({ ...plain, ...change })).not.toBe(PLAIN);
  });

  it('is idempotent', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.normalize('NFKC').includes('|'));
    fc.assert(
      fc.property(text, text, (address1, locality) => {
        const once = normalizedAddress({ ...plain, address1, locality });
        const [first = '', second = ''] = once.split('|');
        expect(normalizedAddress({ ...plain, address1: first, locality: second })).toBe(once);
        expect(normalizedAddress({ ...plain, address1, locality: ` ${locality}\t` })).toBe(once);
      }),
    );
  });
});

describe('normalizedAddressHash', () => {
  it('is the SHA-256 of the normalized address in UTF-8, also in the published client', async () => {
    const address = { ...plain, locality: 'Nürnberg' };
    const expected = createHash('sha256').update('1 MAIN ST|NÜRNBERG|TX|78701|US').digest('hex');
    expect(await normalizedAddressHash(address)).toBe(expected);
    expect(clientHash).toBe(normalizedAddressHash);
  });

  const guide = codeBlock('server/docs/platform-api.md', 'address-hashes');
  /** Computed with Python's unicodedata and hashlib. */
  const examples = [...guide.matchAll(/^(\{.*\})\n(.*)\n([0-9a-f]{64})$/gm)].map(
    ([, json, normalized, hash]): [NormalizableAddress, string, string] => [JSON.parse(json!), normalized!, hash!],
  );

  it('matches the documented test vectors', async () => {
    expect(examples).toHaveLength(4);
    for (const [address, normalized, hash] of examples) {
      expect(normalizedAddress(address)).toBe(normalized);
      expect(await normalizedAddressHash(address)).toBe(hash);
    }
  });
});
