import { networkInterfaces } from 'node:os';

/** An address of this machine that others may call, if it has one. IPv4, because link-local IPv6 needs its interface named. */
export const outwardAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
