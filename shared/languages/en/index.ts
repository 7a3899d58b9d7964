export { claims } from './claims.ts';
export { checkout } from './checkout.ts';
export { disclosure } from './disclosure.ts';
export { emails } from './emails.ts';
