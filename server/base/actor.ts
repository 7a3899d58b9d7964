/**
 * The origin of a change:
 *
 * - `key:aB3_x9Zq` - a merchant, with the id of the key that authenticated the request;
 * - `user:01937f...` - a person on the pages of the console, with the id of the user;
 * - `console` - an operator, with a command;
 * - `buyer` - a buyer, on the pages of the checkout;
 * - `system` - the service itself, in a job or because of a rule.
 */
export type Actor = `key:${string}` | `user:${string}` | 'console' | 'buyer' | 'system';
