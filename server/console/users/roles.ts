import type { UserTable } from '../../db/schema.ts';

/** The roles of users, with increasing responsibility. */
export const ROLES = ['viewer', 'support', 'finance', 'developer', 'admin'] as const satisfies readonly UserTable['role'][];
export type Role = (typeof ROLES)[number];

/**
 * Permissions of users:
 *
 * - `view` - see orders and settings;
 * - `sell` - create links, authorize, ship, settle and cancel;
 * - `refund` - return money to buyers, for the role `support` up to a limit;
 * - `view-money` - see settlements;
 * - `export` - download files of orders, with the buyers' names and addresses, and of settlements;
 * - `develop` - manage keys, origins and webhooks;
 * - `administer` - change settings, and invite, change and remove users.
 */
export type Permission = 'view' | 'sell' | 'refund' | 'view-money' | 'export' | 'develop' | 'administer';

const permissions = {
  viewer: ['view'],
  support: ['view', 'sell', 'refund'],
  finance: ['view', 'sell', 'refund', 'view-money', 'export'],
  developer: ['view', 'develop'],
  admin: ['view', 'sell', 'refund', 'view-money', 'export', 'develop', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;

/** The limit of a refund by a new user with the role `support`, unless another is set. */
export const DEFAULT_REFUND_LIMIT_CENTS = 50_000;

/** Returns true if users with this role may do it. */
export function isPermitted(role: Role, permission: Permission): boolean {
  const granted: readonly Permission[] = permissions[role];
  return granted.includes(permission);
}

interface Refunder {
  role: Role;
  /** Retained when the role changes, for a later change back. */
  refundLimitCents: number | null;
}

/** Returns the largest refund of a user. Null: without a limit of the user's own. */
export function refundLimitOf({ role, refundLimitCents }: Refunder): number | null {
  return role === 'support' ? refundLimitCents : null;
}

/** Returns true if the user may refund this amount at once. */
export function canRefund(user: Refunder, amountCents: number): boolean {
  const limitCents = refundLimitOf(user);
  return isPermitted(user.role, 'refund') && (limitCents === null || amountCents <= limitCents);
}
