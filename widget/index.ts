import { define } from './define.ts';

export * from './exports.ts';

define();
