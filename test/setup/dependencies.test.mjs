import { describe, expect, test } from 'vitest';
import { matchesLockFile, endOfLifeHint, requireNode } from '../../server/setup/dependencies.mjs';

const lit = { version: '3.3.3', integrity: 'sha512-lit' };
const otherMachines = { version: '1.0.0', integrity: 'sha512-binary', optional: true };
const lockFile = (packages) => JSON.stringify({ packages: { '': { name: 'fairterm' }, ...packages } });
const installed = (packages) => JSON.stringify({ packages });

describe('an installation agrees with the lock file', () => {
  test.each([
    ['when it holds the same packages', { lit }, { lit }, true],
    ['when only a binary for another machine is absent', { lit, otherMachines }, { lit }, true],
    ['not when a package is absent', { lit, koa: lit }, { lit }, false],
    ['not when a package is of another version', { lit }, { lit: { ...lit, version: '3.3.2' } }, false],
    ['not when a package has other contents', { lit }, { lit: { ...lit, integrity: 'sha512-other' } }, false],
    ['not when there is a package too many', { lit }, { lit, koa: lit }, false],
  ])('%s', (_sentence, wanted, present, expected) => {
    expect(matchesLockFile(lockFile(wanted), installed(present))).toBe(expected);
  });
});

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(['18.20.4', '20.9.0', '20.18.3'])('Node %s is rejected with the required version', (version) => {
  expect(() => requireNode(version)).toThrow(`Fairterm needs Node 20.19 or newer; this is Node ${version}.`);
});

test.each([
  ['20.20.2', '2026-04-30', undefined],
  ['20.20.2', '2026-05-01', expect.stringContaining('Node 20.20.2 works, but has had no security fixes since 2026-04-30')],
  ['24.1.0', '2026-11-22', undefined],
  ['99.0.0', '2026-11-22', undefined],
])('Node %s on %s gets the hint of its release schedule', (version, today, hint) => {
  expect(endOfLifeHint(version, today)).toEqual(hint);
});
