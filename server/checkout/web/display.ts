/** Where the pages are shown: by themselves, in a frame on the merchant's page, or in a window it opened. */
const DISPLAYS = ['page', 'frame', 'popup'] as const;
export type Display = (typeof DISPLAYS)[number];

/**
 * How a request is shown. What the browser says of itself counts for more than the address, which a buyer may have copied.
 *
 * @param asked - `display` of the address: anything.
 * @param destination - `Sec-Fetch-Dest`; old browsers send none, and nothing is sent over plain HTTP beyond this machine.
 */
export function displayOf(asked: unknown, destination: string | undefined): Display {
  if (destination !== undefined && FRAMES.has(destination)) return 'frame';
  if (asked === 'popup') return 'popup';
  return asked === 'frame' && destination !== 'document' ? 'frame' : 'page';
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object']);
