import { button } from './developers/button.ts';
import { key, keys } from './developers/keys.ts';
import { requestById, requests } from './developers/requests.ts';
import { sandbox } from './developers/sandbox.ts';
import { webhook, webhooks } from './developers/webhooks.ts';
import { home } from './home/home.ts';
import { approval, approvals } from './orders/approvals.ts';
import { changeOrder } from './orders/change.ts';
import { order } from './orders/order.ts';
import { orders } from './orders/orders.ts';
import { passkey, passkeys } from './settings/passkeys.ts';
import { security } from './settings/security.ts';
import { store } from './settings/store.ts';
import { member, team } from './settings/team.ts';
import { link } from './links/link.ts';
import { links } from './links/links.ts';
import { newLink } from './links/new.ts';
import { money, settlement, statement } from './money/money.ts';
import type { Screen, ScreenAction } from './web/screen.ts';

/** All pages of the console, in the order in which their paths are compared. The first one of a section is its entry in the navigation. */
export const screens: readonly Screen[] = [
  home,
  orders,
  approvals,
  order,
  approval,
  changeOrder,
  links,
  newLink,
  link,
  money,
  statement,
  settlement,
  keys,
  key,
  webhooks,
  webhook,
  requests,
  requestById,
  button,
  sandbox,
  store,
  team,
  member,
  passkeys,
  passkey,
  security,
];

/** All forms of the console, with the defaults of their screens. A form is compared with the paths in this order. */
export const actions: readonly ScreenAction[] = screens.flatMap((screen) =>
  (screen.actions ?? []).map((action) => ({
    path: screen.path,
    permission: screen.permission,
    isSensitive: true,
    hasFile: false,
    ...action,
    screen,
  })),
);
