import type { Mode } from '../mode.ts';

/** What becomes of a purchase in each mode. */
export const meaningOf: Readonly<Record<Mode, string>> = {
  sandbox: 'This is a sandbox: no real loan is made, and no e-mail or text reaches a customer. It has key pairs of its own.',
  live: 'This service is live: what is signed here is a loan.',
};

/** What is true of every call. */
export function about(mode: Mode): string {
  return [
    'Financing at checkout that a merchant, a platform or a lender can run themselves.',
    meaningOf[mode],
    'Amounts are integers in cents. Moments are RFC 3339 in UTC. Bodies are JSON; fields that a call does not name are ignored, but for what looks like a misspelt amount of a cancel or refund, and null is the same as left out, except for the amount of a cancel or refund, where null is rejected.',
    'A merchant authenticates with HTTP Basic: the API key is the user name, its secret the password. Plain HTTP is answered on the same machine only.',
    'A platform lists applications with a bearer token. Get one for a key pair with `authorizeService`, or have one made by whoever runs the service: `fairterm token mint`.',
    'What is refused is answered with `{"description","error":true,"type":"INTERNAL_ERROR","code"}`; no other answer has a field `error`. An unknown path is 404 with the code `unknown-path`, a method that a path does not have is 405 with `method-not-allowed` and the header `allow`. Below `/api` it is `{"message","reason","domain","metadata"}`, and the reason is the same word in capitals; below `/oauth` it is what RFC 6749 says. What HTTP itself allows and we do not is 408 `request-timeout`, 417 `expectation-failed` or 431 `headers-too-large`.',
    'Every POST and PUT of a merchant may carry an `idempotency-key`, so that it can be sent again without being done twice.',
  ].join('\n\n');
}
