/** Whether only this machine can reach what listens on `host`: a name or an address, of IPv6 with its brackets or without. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
