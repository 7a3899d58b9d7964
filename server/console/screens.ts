import { button } from './developers/button.ts';
import { addingOrigin, creatingKey, key, keys, removingOrigin, retiringKey } from './developers/keys.ts';
import { requestById, requests } from './developers/requests.ts';
import { movingClock, sandbox } from './developers/sandbox.ts';
import { creatingWebhook, webhook, webhookActions, webhooks } from './developers/webhooks.ts';
import { home } from './home/home.ts';
import { approval, approvals, approving, rejecting } from './orders/approvals.ts';
import { changeOrder, changingOrder } from './orders/change.ts';
import { order, sendingAgreement, shipping } from './orders/order.ts';
import { orders, ordersFile } from './orders/orders.ts';
import { addingPasskey, passkey, passkeys, removingPasskey, renamingPasskey } from './settings/passkeys.ts';
import { security } from './settings/security.ts';
import { savingApproval, savingStore, store } from './settings/store.ts';
import { changing, inviting, member, removing, team } from './settings/team.ts';
import { cancelingLink, emailingLink, link, textingLink } from './links/link.ts';
import { links } from './links/links.ts';
import { creatingLink, newLink } from './links/new.ts';
import { money, settlement, settling, statement } from './money/money.ts';
import type { Action, Screen } from './web/screen.ts';

/** All pages of the console, in the order in which their paths are compared. The first one of a section is its entry in the navigation. */
export const screens: readonly Screen[] = [
  home,
  orders,
  ordersFile,
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

/** All forms of the console. A form is compared with the paths in this order. */
export const actions: readonly Action[] = [
  shipping,
  sendingAgreement,
  approving,
  rejecting,
  changingOrder,
  savingStore,
  savingApproval,
  creatingLink,
  emailingLink,
  textingLink,
  cancelingLink,
  inviting,
  changing,
  removing,
  addingPasskey,
  renamingPasskey,
  removingPasskey,
  creatingKey,
  retiringKey,
  addingOrigin,
  removingOrigin,
  creatingWebhook,
  ...webhookActions,
  movingClock,
  settling,
];
