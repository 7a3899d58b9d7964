export { start } from './checkout.ts';
