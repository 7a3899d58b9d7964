import { describe, expect, it } from 'vitest';
import { isSignatureOf } from '../../../../server/checkout/steps/agreement.ts';

const nameOf = ([firstName, lastName]: readonly [string, string]) => ({ firstName, lastName });

describe('A signature', () => {
  it.each([
    ['the same name', ['Ada', 'Lovelace'], 'Ada Lovelace'],
    ['another case', ['Ada', 'Lovelace'], 'ADA lovelace'],
    ['repeated spaces', ['Ada', 'Lovelace'], '  Ada   Lovelace '],
    ['middle names', ['Ada', 'Lovelace'], 'Ada Augusta K. Lovelace'],
    ['a title and a suffix', ['Ada', 'Lovelace'], 'Dr. Ada Lovelace Jr.'],
    ['missing accents', ['José', 'Núñez'], 'Jose Nunez'],
    ['added accents', ['Jose', 'Nunez'], 'José Núñez'],
    ['composed and decomposed accents', ['Jose\u0301', 'Núñez'], 'José Nu\u0301n\u0303ez'],
    ['another apostrophe', ['Sinéad', "O'Connor"], 'Sinead O’Connor'],
    ['no apostrophe', ['Sinéad', 'O´Connor'], 'Sinead OConnor'],
    ['a space instead of a hyphen', ['Anne-Marie', 'Smith-Jones'], 'anne marie smith jones'],
    ['two last names', ['Gabriel', 'García Márquez'], 'Gabriel José Garcia Marquez'],
    ['a sharp s', ['Anna', 'Groß'], 'ANNA GROSS'],
    ['letters that Unicode does not decompose', ['Minh', 'Đặng'], 'Minh Dang'],
    ['a letter with a stroke', ['Łukasz', 'Sørensen'], 'Lukasz Sorensen'],
    ['ligatures', ['Sævar', 'Þórsson'], 'Saevar Thorsson'],
    ['a letter without its dot', ['Işıl', 'Yıldız'], 'ISIL YILDIZ'],
    ['an okina or an apostrophe', ['Kaʻiulani', "O'Brien"], 'Ka’iulani O‘Brien'],
    ['a dash', ['Anne–Marie', 'Smith'], 'Anne-Marie Smith'],
    ['another script', ['يوسف', 'الخشبي'], 'يوسف الخشبي'],
  ] as const)('is accepted with %s', (_, name, signature) => {
    expect(isSignatureOf(signature, nameOf(name))).toBe(true);
  });

  it.each([
    ['of another person', ['Ada', 'Lovelace'], 'Grace Hopper'],
    ['without the last name', ['Ada', 'Lovelace'], 'Ada'],
    ['without the first name', ['Ada', 'Lovelace'], 'Lovelace'],
    ['in another order', ['Ada', 'Lovelace'], 'Lovelace Ada'],
    ['with an initial for the first name', ['Ada', 'Lovelace'], 'A. Lovelace'],
    ['with part of the last name', ['Gabriel', 'García Márquez'], 'Gabriel Garcia'],
    ['with another letter', ['Minh', 'Đặng'], 'Minh Tang'],
    ['with the sound of another script', ['小龍', '李'], 'Xiaolong Li'],
    ['that only contains the letters', ['Ada', 'Love'], 'Ada Lovelace'],
    ['that uses one word for both names', ['Ada', 'Ada'], 'Ada'],
  ] as const)('is rejected %s', (_, name, signature) => {
    expect(isSignatureOf(signature, nameOf(name))).toBe(false);
  });
});
