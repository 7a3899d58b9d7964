import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../server/http/client-address.ts';

const of = (remoteAddress: string | undefined, forwarded?: string, trustProxy = true) =>
  clientOf({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }, trustProxy);

describe('A client is known', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('by the address it connects from, of IPv6 by the first half: %s as %s', (address, name) => {
    expect(of(address)).toBe(name);
    expect(of(address, '198.51.100.7', false)).toBe(name);
  });

  it('as one with all others when there is none', () => expect(of(undefined)).toBe('unknown'));

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
  ])('by what a trusted proxy heard last: %j as %s', (forwarded, name) => {
    expect(of('10.0.0.1', forwarded)).toBe(name);
  });

  it.each(['', ' ', ',', '198.51.100.7,', 'unknown', '_hidden', '198.51.100', '2', '0x7f000001', '198.51.100.7/8', '<script>'])(
    'by the proxy itself when that says nothing: %j',
    (forwarded) => expect(of('10.0.0.1', forwarded)).toBe('10.0.0.1'),
  );
});
