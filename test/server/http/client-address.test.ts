import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress, networksOf as networksOfAddress } from '../../../server/http/rate-limit.ts';

const networksOf = (remoteAddress: string | undefined, forwarded?: string, trustProxy = true) =>
  networksOfAddress(
    clientAddress(
      { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } },
      trustProxy,
    ) ?? '',
  );

/** Returns the /64, /56 and /48 networks of an IPv6 address. */
const v6 = (narrow: string, medium: string, wide: string) => [`${narrow}/64`, `${medium}/56`, `${wide}/48`];

describe('A client is identified', () => {
  it.each<[string, string[]]>([
    ['192.0.2.1', ['192.0.2.1']],
    ['::ffff:192.0.2.1', ['192.0.2.1']],
    ['::1', v6('::', '::', '::')],
    ['2001:db8:1:2:3:4:5:6', v6('2001:db8:1:2::', '2001:db8:1::', '2001:db8:1::')],
    ['2001:db8:1:2::', v6('2001:db8:1:2::', '2001:db8:1::', '2001:db8:1::')],
    ['2001:DB8:1:fffF:ffff:ffff:ffff:ffff', v6('2001:db8:1:ffff::', '2001:db8:1:ff00::', '2001:db8:1::')],
    ['2001:db8:1:ff::1', v6('2001:db8:1:ff::', '2001:db8:1::', '2001:db8:1::')],
    ['2001:db8:1:100::1', v6('2001:db8:1:100::', '2001:db8:1:100::', '2001:db8:1::')],
    ['fe80::1%eth0', v6('fe80::', 'fe80::', 'fe80::')],
    ['fe80::1%br-lan', v6('fe80::', 'fe80::', 'fe80::')],
  ])('by its connecting address, for IPv6 by three networks: %s as %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
    expect(networksOf(address, '198.51.100.7', false)).toEqual(networks);
  });

  it('as "unknown" if its address is unknown', () => expect(networksOf(undefined)).toEqual(['unknown']));

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['203.0.113.9,198.51.100.7', '198.51.100.7'],
    ['127.0.0.1, ::1, 198.51.100.7 ', '198.51.100.7'],
    ['invalid, 198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['198.51.100.7, ::ffff:203.0.113.9', '203.0.113.9'],
    ['198.51.100.7:50000', '198.51.100.7'],
    ['[2001:db8:1:2::3]:50000', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ])('by the last address of a trusted X-Forwarded-For header: %j as %s', (forwarded, name) => {
    expect(networksOf('10.0.0.1', forwarded)[0]).toBe(name);
  });

  it.each(['', ' ', ',', '198.51.100.7,', 'unknown', '_hidden', '198.51.100', '2', '0x7f000001', '198.51.100.7/8', '<script>'])(
    'by the proxy’s address if the last one is invalid: %j',
    (forwarded) => expect(networksOf('10.0.0.1', forwarded)).toEqual(['10.0.0.1']),
  );

  it('without an error, whatever the address and the header are', () => {
    const zone = fc.constantFrom('', '%', '%br-lan', '%eth0.1', '%%', '%0');
    const address = fc.oneof(
      fc.ipV6(),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6().map((ip) => `[${ip}]:1`),
      fc.string(),
    );
    const text = fc.tuple(address, zone).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (remoteAddress, forwarded) => {
        for (const name of networksOf(remoteAddress, forwarded)) expect(name).toMatch(/^(unknown|[\d.]+|[0-9a-f:]+\/\d\d)$/);
      }),
    );
  });
});
