import { expect, it } from 'vitest';
import { displayOf } from '../../../../server/checkout/web/headers.ts';

it.each([
  [undefined, 'document', 'page'],
  [undefined, undefined, 'page'],
  [undefined, 'iframe', 'frame'],
  ['popup', 'document', 'popup'],
  ['popup', undefined, 'popup'],
  ['popup', 'iframe', 'frame'],
  ['frame', 'iframe', 'frame'],
  ['frame', undefined, 'frame'],
  // The URL of a frame that was opened in its own window.
  ['frame', 'document', 'page'],
  // A request of the page's script.
  ['frame', 'empty', 'frame'],
  [undefined, 'empty', 'page'],
  ['page', 'iframe', 'frame'],
  [undefined, 'embed', 'frame'],
  [undefined, 'object', 'frame'],
  [undefined, 'frame', 'frame'],
  ['POPUP', 'document', 'page'],
  [['popup', 'frame'], 'document', 'page'],
  ['__proto__', 'document', 'page'],
  ['', '', 'page'],
] as const)('a URL with display %j, opened as %j, is shown as a %s', (parameter, destination, display) => {
  expect(displayOf(parameter, destination)).toBe(display);
});
