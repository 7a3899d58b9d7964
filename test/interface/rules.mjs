/**
 * Rules of the merchant API and the platform API: the interface, the expectations of production clients, and our choices. A test
 * names the ids of the rules that it checks in its title: `returns 200, not 201 [CART-1] [CLIENT-9]`.
 *
 * An id keeps its meaning and is not reused.
 */
import { asLowAs } from './rules/as-low-as.mjs';
import { authentication } from './rules/authentication.mjs';
import { carts } from './rules/carts.mjs';
import { choices } from './rules/choices.mjs';
import { clients } from './rules/clients.mjs';
import { errors } from './rules/errors.mjs';
import { events } from './rules/events.mjs';
import { limits } from './rules/limits.mjs';
import { objects } from './rules/objects.mjs';
import { overview } from './rules/overview.mjs';
import { platformList, platformObjects, platformRest } from './rules/platform.mjs';
import { states } from './rules/states.mjs';
import { transactions } from './rules/transactions.mjs';

const sections = [
  overview,
  objects,
  states,
  transactions,
  carts,
  asLowAs,
  authentication,
  events,
  errors,
  limits,
  platformObjects,
  platformList,
  platformRest,
  clients,
  choices,
];

/** @typedef {{ id: string, section: string, rule: string }} Rule */

/** @type {Rule[]} */
export const rules = sections.flatMap(({ section, rules: sectionRules }) =>
  Object.entries(sectionRules).map(([id, rule]) => ({ id, section, rule })),
);
