/** What a service, its database and its keys are for: trying things out, or real purchases. */
export type Mode = 'sandbox' | 'live';
