import { assert } from '@open-wc/testing';
import { policyProblems } from '../../../widget/debug/policy.ts';

const SERVICE = 'https://pay.example';
const PAGE = 'https://shop.example';

const policies: [allowed: string, policy: string, missing: RegExp[]][] = [
  ['everything, because it is empty,', '', []],
  [
    'exactly the sources that the element needs',
    `default-src 'none'; script-src ${SERVICE}; connect-src ${SERVICE}; style-src ${SERVICE}`,
    [],
  ],
  ['all sources', "default-src *; script-src 'self' *", []],
  ['the scheme of the service', 'default-src https:', []],
  ['the host without a scheme', 'default-src pay.example', []],
  ['all subdomains of the host', 'default-src https://*.example', []],
  ['the host with any port', 'default-src https://pay.example:*', []],
  ['a path of the host', `default-src ${SERVICE}/widget/`, []],
  ['the host with http, which includes https', 'default-src http://pay.example', []],
  ["only 'self'", "default-src 'self'", [/connect-src/, /script-src/]],
  ['nothing', "default-src 'none'", [/connect-src/, /script-src/]],
  ['another host', 'connect-src https://other.example', [/Add https:\/\/pay\.example to connect-src/]],
  ['hosts with a similar ending', 'connect-src https://*.ay.example https://evilpay.example', [/connect-src/]],
  ['scripts by strict-dynamic', `script-src 'nonce-abc' 'strict-dynamic'; connect-src ${SERVICE}`, []],
  [
    'Trusted Types without those of Lit',
    "require-trusted-types-for 'script'; trusted-types default",
    [/Add lit-html to trusted-types/],
  ],
  ['the Trusted Types of Lit', "require-trusted-types-for 'script'; trusted-types default lit-html", []],
];

describe('a Content-Security-Policy that allows', () => {
  policies.forEach(([allowed, policy, missing]) => {
    it(`${allowed} has ${missing.length} problems`, () => {
      const problems = policyProblems(policy, { service: SERVICE, script: SERVICE, page: PAGE, isFramed: false });

      assert.lengthOf(problems, missing.length, JSON.stringify(problems));
      missing.forEach((pattern, index) => assert.match(problems[index]!, pattern));
    });
  });

  it('requests to the service but no frames has a problem only if the checkout opens in a frame', () => {
    const policy = `default-src 'none'; script-src 'self'; connect-src ${SERVICE} 'self'`;
    const needs = { service: SERVICE, script: PAGE, page: PAGE };

    assert.lengthOf(policyProblems(policy, { ...needs, isFramed: false }), 0);
    assert.match(policyProblems(policy, { ...needs, isFramed: true })[0]!, /frame-src/);
    assert.lengthOf(policyProblems(`${policy}; child-src ${SERVICE}`, { ...needs, isFramed: true }), 0);
  });
});
