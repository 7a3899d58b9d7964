import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import type { Mode } from '../base/mode.ts';

/** The addresses that callbacks may be sent to. */
export interface CallbackRules {
  /** A live service sends callbacks only over HTTPS. */
  mode: Mode;
  /** Allows receivers on this machine, for a sandbox that only this machine can reach. */
  allowLoopback: boolean;
  /** Host names and IP addresses that may be in the operator's own networks. */
  allowedHosts: readonly string[];
}

/** A rejected callback URL: the expected value, and the failure of an attempt to send to it. */
export interface CallbackUrlProblem {
  expected: string;
  failure: string;
}

const NOT_HTTPS: CallbackUrlProblem = { expected: 'an https URL', failure: 'The URL is not an https URL' };

/** Other ports belong to services that are not web servers, such as SSH, SMTP and LDAP. */
const PORT_NOT_ALLOWED: CallbackUrlProblem = {
  expected: 'a URL with the port 80, 443, or one above 1023',
  failure: 'The port of the URL is not allowed',
};

const NOT_PUBLIC: CallbackUrlProblem = {
  expected: 'a URL with a host on the public internet',
  failure: 'The address is not on the public internet',
};

/** The failure when a host name has only addresses that are not allowed. */
export const FORBIDDEN = NOT_PUBLIC.failure;

/** Returns why a callback URL is rejected, as far as it can be determined without DNS; undefined if it may be allowed. */
export function callbackUrlProblem(url: string, rules: CallbackRules): CallbackUrlProblem | undefined {
  const { protocol, hostname, port } = new URL(url);
  if (rules.mode === 'live' && protocol !== 'https:') return NOT_HTTPS;
  if (!['', '80', '443'].includes(port) && Number(port) < 1_024) return PORT_NOT_ALLOWED;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) && !mayConnect(host, host, rules) ? NOT_PUBLIC : undefined;
}

/** Ranges that operators use for their own networks. All others, such as link-local or translated addresses, are always rejected. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback']);

/** Returns true if a callback may connect to the IP address that a host name has. */
export function mayConnect(host: string, address: string, { allowLoopback, allowedHosts }: CallbackRules): boolean {
  const parsed = ipaddr.process(address);
  if (ipaddr.subnetMatch(parsed, CLOUD_SERVICES, '') !== '') return false;
  const range = parsed.range();
  if (range === 'unicast') return !(parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE));
  return OWN_NETWORKS.has(range) && (allowedHosts.includes(host) || (allowLoopback && range === 'loopback'));
}

/** Metadata and host services of clouds outside the link-local range. Some of them return credentials to any caller. */
const CLOUD_SERVICES = {
  alibaba: ipaddr.parseCIDR('100.100.100.200/32'),
  amazon: ipaddr.parseCIDR('fd00:ec2::/32'),
  azure: ipaddr.parseCIDR('168.63.129.16/32'),
  google: ipaddr.parseCIDR('fd20:ce::/32'),
};

/** Deprecated notation of IPv4 addresses that some network stacks still accept: `::7f00:1` for 127.0.0.1. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');
