/** It stands for your analytics. A beacon arrives even when the page is left at once, as it is when the button is pressed. */
export function track(name: string, detail: Record<string, unknown> = {}): void {
  navigator.sendBeacon('/analytics', JSON.stringify({ name, ...detail }));
}
