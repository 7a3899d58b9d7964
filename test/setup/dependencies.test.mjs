import { describe, expect, test } from 'vitest';
import { agrees, inTheWayOfMake, markerFor, refuseOldNode } from '../../server/setup/dependencies.mjs';

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
    expect(agrees(lockFile(wanted), installed(present))).toBe(expected);
  });

  test('not when npm left no word of it', () => {
    expect(agrees(lockFile({ lit }), '')).toBe(false);
  });
});

test('the marker changes with the lock file, the Node ABI and the machine', () => {
  const markers = [
    markerFor('lock', '115', 'linux-x64'),
    markerFor('other lock', '115', 'linux-x64'),
    markerFor('lock', '127', 'linux-x64'),
    markerFor('lock', '115', 'darwin-arm64'),
  ];
  expect(new Set(markers).size).toBe(4);
  expect(markerFor('lock', '115', 'linux-x64')).toBe(markers[0]);
});

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
  expect(() => refuseOldNode(version)).not.toThrow();
});

test.each(['18.20.4', '20.9.0', '20.18.3'])('Node %s is refused with the version that is needed', (version) => {
  expect(() => refuseOldNode(version)).toThrow(`Fairterm needs Node 20.19 or newer; this is Node ${version}.`);
});

test.each([
  ['/home/ada/shop(2)', '('],
  ['/home/ada/a shop)', ')'],
  ["/home/ada's/shop", "'"],
  ['/home/ada/"shop"', '"'],
  ['/home/ada/`shop', '`'],
  ['/home/ada/$shop', '$'],
])('what keeps the driver from being compiled in %s is named', (folder, sign) => {
  expect(inTheWayOfMake(folder)).toContain(`with ${sign} in its path: ${folder}.`);
});

test.each(['/home/ada/my shop', '/home/löve/shop-2_v1.0+x', '/srv/a&b;c<d>e|f*g?h!i#j%k[l]m{n}'])(
  'nothing keeps the driver from being compiled in %s',
  (folder) => {
    expect(inTheWayOfMake(folder)).toBe('');
  },
);
