import { describe, expect, it } from 'vitest';
import { clientNetworks } from '../../../server/http/rate-limit.ts';

const of = (remoteAddress: string | undefined, forwarded?: string, trustProxy = true) =>
  clientNetworks(
    { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } },
    trustProxy,
  );

/** The networks of an address of IPv6, by its /64, /56 and /48. */
const v6 = (home: string, customer: string, company: string) => [`${home}/64`, `${customer}/56`, `${company}/48`];

describe('A client is counted', () => {
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
  ])('by the address it connects from, and of IPv6 by three networks: %s as %j', (address, networks) => {
    expect(of(address)).toEqual(networks);
    expect(of(address, '198.51.100.7', false)).toEqual(networks);
  });

  it('as one with all others when its address is unknown', () => expect(of(undefined)).toEqual(['unknown']));

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['203.0.113.9,198.51.100.7', '198.51.100.7'],
    ['127.0.0.1, ::1, 198.51.100.7 ', '198.51.100.7'],
    ['anything at all, 198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['198.51.100.7, ::ffff:203.0.113.9', '203.0.113.9'],
    ['198.51.100.7:50000', '198.51.100.7'],
    ['[2001:db8:1:2::3]:50000', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ])('by the last address of a trusted proxy: %j as %s', (forwarded, name) => {
    expect(of('10.0.0.1', forwarded)[0]).toBe(name);
  });

  it.each(['', ' ', ',', '198.51.100.7,', 'unknown', '_hidden', '198.51.100', '2', '0x7f000001', '198.51.100.7/8', '<script>'])(
    'by the proxy’s address if it sends none: %j',
    (forwarded) => expect(of('10.0.0.1', forwarded)).toEqual(['10.0.0.1']),
  );
});
