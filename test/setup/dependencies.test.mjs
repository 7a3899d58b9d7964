import { expect, test } from 'vitest';
import { matchesLockFile, requireNode } from '../../server/setup/dependencies.mjs';

const lit = { version: '3.3.3', integrity: 'sha512-lit' };
const otherPlatform = { version: '1.0.0', integrity: 'sha512-binary', optional: true };
const lockFile = (packages) => JSON.stringify({ packages: { '': { name: 'fairterm' }, ...packages } });
const installed = (packages) => JSON.stringify({ packages });

test.each([
  [true, 'the same packages', { lit }, { lit }],
  [true, 'no binary for another platform', { lit, otherPlatform }, { lit }],
  [false, 'a missing package', { lit, koa: lit }, { lit }],
  [false, 'another version of a package', { lit }, { lit: { ...lit, version: '3.3.2' } }],
  [false, 'other contents of a package', { lit }, { lit: { ...lit, integrity: 'sha512-other' } }],
  [false, 'an additional package', { lit }, { lit, koa: lit }],
])('matchesLockFile returns %s for an installation with %s', (expected, _what, locked, present) => {
  expect(matchesLockFile(lockFile(locked), installed(present))).toBe(expected);
});

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is accepted', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(['18.20.4', '20.9.0', '20.18.3'])('Node %s is rejected with an error that states the required version', (version) => {
  expect(() => requireNode(version)).toThrow(`Fairterm needs Node 20.19 or newer; this is Node ${version}.`);
});
