export { checkout } from './checkout.ts';
export { consoleTexts } from './console.ts';
export { claims, disclosure } from './disclosure.ts';
export { emails } from './emails.ts';
