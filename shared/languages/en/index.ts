export { checkout } from './checkout.ts';
export { claims, disclosure } from './disclosure.ts';
