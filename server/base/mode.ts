/** Mode of a service, its database and its keys. A sandbox makes no real purchases. */
export type Mode = 'sandbox' | 'live';
