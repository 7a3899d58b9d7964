import { assert } from '@open-wc/testing';
import { policyProblems } from '../../../widget/debug/policy.ts';

const SERVICE = 'https://pay.example';
const PAGE = 'https://shop.example';

const policies: [what: string, policy: string, lacks: RegExp[]][] = [
  ['nothing at all', '', []],
  ['what the element needs', `default-src 'none'; script-src ${SERVICE}; connect-src ${SERVICE}; style-src ${SERVICE}`, []],
  ['everything', "default-src *; script-src 'self' *", []],
  ['a scheme', 'default-src https:', []],
  ['a host without its scheme', 'default-src pay.example', []],
  ['a host of any name', 'default-src https://*.example', []],
  ['a host of any port', 'default-src https://pay.example:*', []],
  ['an address below the host', `default-src ${SERVICE}/widget/`, []],
  ['http, which https fulfils', 'default-src http://pay.example', []],
  ['its own pages alone', "default-src 'self'", [/connect-src/, /script-src/]],
  ['nothing', "default-src 'none'", [/connect-src/, /script-src/]],
  ['another host', 'connect-src https://other.example', [/Add https:\/\/pay\.example to connect-src/]],
  ['a host that only ends alike', 'connect-src https://*.ay.example https://evilpay.example', [/connect-src/]],
  ['scripts that scripts load', `script-src 'nonce-abc' 'strict-dynamic'; connect-src ${SERVICE}`, []],
  ['types of others alone', "require-trusted-types-for 'script'; trusted-types default", [/Add lit-html to trusted-types/]],
  ['types of Lit', "require-trusted-types-for 'script'; trusted-types default lit-html", []],
];

describe('a Content-Security-Policy that allows', () => {
  policies.forEach(([what, policy, lacks]) => {
    it(`${what} lacks ${lacks.length || 'nothing'}`, () => {
      const problems = policyProblems(policy, { service: SERVICE, script: SERVICE, page: PAGE, isFramed: false });

      assert.lengthOf(problems, lacks.length, JSON.stringify(problems));
      lacks.forEach((lack, at) => assert.match(problems[at]!, lack));
    });
  });

  it('requests to the service, but no frames, lacks the directive for a checkout on the page', () => {
    const policy = `default-src 'none'; script-src 'self'; connect-src ${SERVICE} 'self'`;
    const needs = { service: SERVICE, script: PAGE, page: PAGE };

    assert.lengthOf(policyProblems(policy, { ...needs, isFramed: false }), 0);
    assert.match(policyProblems(policy, { ...needs, isFramed: true })[0]!, /frame-src/);
    assert.lengthOf(policyProblems(`${policy}; child-src ${SERVICE}`, { ...needs, isFramed: true }), 0);
  });
});
