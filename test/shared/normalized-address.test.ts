import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { normalizedAddressHash as hashOfClient } from 'fairterm/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NormalizableAddress, normalizedAddress, normalizedAddressHash } from '../../shared/normalized-address.ts';

const plain = { address1: '1 Main St', locality: 'Austin', region: 'TX', postalCode: '78701', country: 'US' };
const PLAIN = '1 MAIN ST|AUSTIN|TX|78701|US';

describe('A normalized address', () => {
  it.each<[what: string, otherwise: Partial<NormalizableAddress>]>([
    ['as it is', {}],
    ['in small letters', { address1: '1 main st', locality: 'austin', region: 'tx', country: 'us' }],
    ['in capitals', { address1: '1 MAIN ST', locality: 'AUSTIN' }],
    [
      'with spaces around',
      { address1: '  1 Main St ', locality: ' Austin', region: ' TX ', postalCode: ' 78701 ', country: ' US' },
    ],
    ['with more spaces, tabs and lines within', { address1: '1  Main\t\r\nSt' }],
    ['with spaces that do not break, or are wide', { address1: '1\u00a0Main\u3000St', locality: '\u2003Austin\u202f' }],
    ['with line separators', { address1: '1\u2028Main\u0085St' }],
    ['with ZIP+4', { postalCode: '78701-1234' }],
    ['with ZIP+4 in one', { postalCode: '787011234' }],
    ['with the country in the region', { region: 'US-TX' }],
    ['with the country in the region, in small letters', { region: 'us-tx' }],
    ['in full-width letters and digits', { address1: '１ Ｍａｉｎ　Ｓｔ', postalCode: '７８７０１' }],
    ['in mathematical letters', { locality: '𝐀𝐮𝐬𝐭𝐢𝐧' }],
  ])('is the same %s', (_what, otherwise) => {
    expect(normalizedAddress({ ...plain, ...otherwise })).toBe(PLAIN);
  });

  it.each<[what: string, one: string, other: string, as: string]>([
    ['accents that are composed or not', 'Rue Ren\u00e9', 'rue rene\u0301', 'RUE REN\u00c9'],
    ['a sharp s and two', 'Haupt\u00dfta\u00dfe', 'HAUPTSSTASSE', 'HAUPTSSTASSE'],
    ['a small letter whose capital is decomposed', '\u0390', '\u03aa\u0301', '\u03aa\u0301'],
    ['a final sigma', '\u039f\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3', '\u039f\u0394\u038c\u03a3'],
    ['ligatures', '\ufb01fth', 'Fifth', 'FIFTH'],
    ['a fraction', '12\u00bd Elm', '121\u20442 elm', '121\u20442 ELM'],
  ])('does not tell %s apart', (_what, one, other, as) => {
    const [first, second] = [one, other].map((address1) => normalizedAddress({ ...plain, address1 }));
    expect(first).toBe(`${as}|AUSTIN|TX|78701|US`);
    expect(second).toBe(first);
  });

  it.each<[what: string, otherwise: Partial<NormalizableAddress>]>([
    ['house', { address1: '2 Main St' }],
    ['word', { address1: '1 Main Street' }],
    ['accent', { locality: 'Aústin' }],
    ['city', { locality: 'Dallas' }],
    ['state', { region: 'CA' }],
    ['zip', { postalCode: '78702' }],
    ['country', { country: 'CA' }],
    ['country in the region, which is not its own', { region: 'CA-TX' }],
  ])('is another with another %s', (_what, otherwise) => {
    expect(normalizedAddress({ ...plain, ...otherwise })).not.toBe(PLAIN);
  });

  it('is normalized already', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((some) => !some.normalize('NFKC').includes('|'));
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

describe('The hash of an address', () => {
  it('is the SHA-256 of it in UTF-8, from the published client, too', async () => {
    const address = { ...plain, locality: 'Nürnberg' };
    const expected = createHash('sha256').update('1 MAIN ST|NÜRNBERG|TX|78701|US').digest('hex');
    expect(await normalizedAddressHash(address)).toBe(expected);
    expect(hashOfClient).toBe(normalizedAddressHash);
  });

  const guide = readFileSync(new URL('../../server/docs/platform-api.md', import.meta.url), 'utf8');
  /** Computed with Python's unicodedata and hashlib. */
  const examples = [...guide.matchAll(/^ {4}(\{.*\})\n {4}(.*)\n {4}([0-9a-f]{64})$/gm)].map(
    ([, json, normalized, hash]): [NormalizableAddress, string, string] => [JSON.parse(json!), normalized!, hash!],
  );

  it('is documented with examples', () => {
    expect(examples).toHaveLength(4);
  });

  it.each(examples)('of %j is as documented', async (address, normalized, hash) => {
    expect(normalizedAddress(address)).toBe(normalized);
    expect(await normalizedAddressHash(address)).toBe(hash);
  });
});
