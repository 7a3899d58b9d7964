const WIDTH = 520;
const HEIGHT = 760;

/**
 * Opens a window over the middle of the page's own. Browsers let it through only from within a click.
 *
 * It has no name: a frame of the page could have taken that name, and would be given the checkout.
 *
 * @param url     - Empty for a page that says that it waits.
 * @returns Null when the browser does not let it through.
 */
export function openWindow(url: string, waiting: string): Window | null {
  const left = screenX + (outerWidth - WIDTH) / 2;
  const top = screenY + (outerHeight - HEIGHT) / 2;
  const opened = open(url || 'about:blank', '_blank', `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  if (opened && !url) opened.document.body.textContent = waiting;
  return opened;
}

/**
 * The address of a checkout that does not stand by itself. One of the shop's own gets it as well, for the checkout it leads to
 * (server/decisions/0020).
 */
export function shownIn(display: 'frame' | 'popup', address: string): string {
  const url = new URL(address);
  url.search += `${url.search && '&'}display=${display}`;
  return url.href;
}
