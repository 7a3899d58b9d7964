import { describe, expect, test } from 'vitest';
import { rules } from '../interface/rules.mjs';
import { compare, idsIn, summary } from '../interface/contract.mjs';

const rulesOfCarts = [
  { id: 'CART-1', section: 'Carts', rule: 'A cart is created.' },
  { id: 'CART-2', section: 'Carts', rule: 'A cart is read.' },
];
const example = (title, passed = true) => ({ title, file: 'test/carts.test.ts', passed });

test.each([
  ['responds 200 [CART-1] [CLIENT-9]', ['CART-1', 'CLIENT-9']],
  ['[AUTH-2] POST /carts [CART-1] creates a cart', ['AUTH-2', 'CART-1']],
  ['accepts ["CHAIR-1"], [], [1-2] and CART-1', []],
])('idsIn("%s") returns %j', (title, ids) => {
  expect(idsIn(title)).toEqual(ids);
});

describe('The contract', () => {
  test('passes if a passed test names each rule', () => {
    const contract = compare(rulesOfCarts, [example('creates one [CART-1]'), example('reads one [CART-2] [CART-1]')]);
    expect(contract.covered.map(({ id, examples }) => [id, examples.length])).toEqual([
      ['CART-1', 2],
      ['CART-2', 1],
    ]);
    expect(summary(contract)).toBe('2 rules, all covered');
  });

  test.each([
    ['by no test', []],
    ['only by a test that failed or was skipped', [example('reads one [CART-2]', false)]],
  ])('fails if a rule is named %s', (_how, others) => {
    const contract = compare(rulesOfCarts, [example('creates one [CART-1]'), ...others]);
    expect(contract.uncovered).toEqual([rulesOfCarts[1]]);
    expect(summary(contract)).toBe('2 rules, 1 not covered\n  CART-2 is covered by no example that passed: A cart is read.');
  });

  test('reports unknown rule ids in titles of passed and failed tests', () => {
    const contract = compare(rulesOfCarts, [example('both [CART-1] [CART-2]'), example('typo [CRAT-1]', false)]);
    expect(contract.unknown.map(({ id }) => id)).toEqual(['CRAT-1']);
    expect(summary(contract)).toContain('2 rules, 0 not covered, 1 unknown');
    expect(summary(contract)).toContain('CRAT-1 is not the id of a rule, but occurs in "typo [CRAT-1]" in test/carts.test.ts');
  });
});

test('Every rule has a unique id that can be used in a title, and a description', () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, rule } of rules) {
    expect(idsIn(`[${id}]`)).toEqual([id]);
    expect(rule).toMatch(/^[\w[].{10,}\.$/s);
  }
});
