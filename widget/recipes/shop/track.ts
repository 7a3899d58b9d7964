/** A placeholder for your analytics. A beacon is delivered even if the page is left immediately, as when the button is pressed. */
export function track(name: string, detail: Record<string, unknown> = {}): void {
  navigator.sendBeacon('/analytics', JSON.stringify({ name, ...detail }));
}
