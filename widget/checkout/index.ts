export { checkoutFor } from './checkout.ts';
