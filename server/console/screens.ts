import * as button from './developers/button.ts';
import * as keys from './developers/keys.ts';
import * as requests from './developers/requests.ts';
import * as sandbox from './developers/sandbox.ts';
import * as webhooks from './developers/webhooks.ts';
import * as home from './home/home.ts';
import * as links from './links/links.ts';
import * as newLink from './links/new.ts';
import * as money from './money/money.ts';
import * as approvals from './orders/approvals.ts';
import * as change from './orders/change.ts';
import * as order from './orders/order.ts';
import * as orders from './orders/orders.ts';
import * as passkeys from './settings/passkeys.ts';
import * as security from './settings/security.ts';
import * as store from './settings/store.ts';
import * as team from './settings/team.ts';
import type { Action, Screen, ScreenAction } from './web/screen.ts';

/**
 * The pages of the console with their forms. Paths are compared in this order. The first page of a section is its entry in the navigation.
 * `isSensitive` requires a recent sign-in.
 */
export const screens: readonly Screen[] = [
  page({ path: '', permission: 'view', show: home.showHome }),
  page({ path: 'orders', permission: 'view', show: orders.showOrders }, [
    { path: 'orders.csv', permission: 'export', isSensitive: false, submit: orders.downloadOrders },
  ]),
  page({ path: 'orders/approvals', permission: 'view', show: approvals.showApprovals }),
  page({ path: 'orders/:id', permission: 'view', show: order.showOrder }, [
    { path: 'orders/:id/agreement', permission: 'sell', isSensitive: false, submit: order.sendAgreement },
    { path: 'orders/:id/same-reference', permission: 'sell', isSensitive: false, submit: order.dismissSameReference },
    { path: 'orders/:id/shipment', permission: 'sell', isSensitive: false, submit: order.saveShipment },
  ]),
  page({ path: 'orders/:id/approval', permission: 'refund', isSensitive: true, show: approvals.showApproval }, [
    { path: 'orders/:id/approval', permission: 'refund', isSensitive: true, submit: approvals.approve },
    { path: 'orders/:id/approval/reject', permission: 'refund', isSensitive: true, submit: approvals.reject },
  ]),
  page({ path: 'orders/:id/:kind', permission: 'sell', isSensitive: true, show: change.showChange }, [
    { path: 'orders/:id/:kind', permission: 'sell', isSensitive: true, submit: change.confirmChange },
  ]),
  page({ path: 'links', permission: 'view', show: links.showLinks }),
  page({ path: 'links/new', permission: 'sell', show: newLink.showNewLink }, [
    { path: 'links/new', permission: 'sell', isSensitive: false, submit: newLink.createLink },
  ]),
  page({ path: 'links/:id', permission: 'view', show: links.showLink }, [
    { path: 'links/:id/email', permission: 'sell', isSensitive: false, submit: links.emailLink },
    { path: 'links/:id/cancel', permission: 'sell', isSensitive: false, submit: links.cancelLink },
    { path: 'links/:id/text', permission: 'sell', isSensitive: false, submit: links.textLink },
  ]),
  page({ path: 'money', permission: 'view-money', show: money.showMoney }, [
    { path: 'money/settle', permission: 'view-money', isSensitive: true, submit: money.settle },
  ]),
  page({ path: 'money/statement', permission: 'view-money', show: money.showStatement }, [
    { path: 'money/statement/lines.csv', permission: 'export', isSensitive: false, submit: money.downloadStatement },
  ]),
  page({ path: 'money/:id', permission: 'view-money', show: money.showSettlement }, [
    { path: 'money/:id/lines.csv', permission: 'export', isSensitive: false, submit: money.downloadSettlement },
  ]),
  page({ path: 'developers', permission: 'develop', tab: 'API keys', show: keys.showKeys }, [
    { path: 'developers/keys', permission: 'develop', isSensitive: true, submit: keys.createKey },
    { path: 'developers/origins', permission: 'develop', isSensitive: true, submit: keys.addOrigin },
    { path: 'developers/origins/remove', permission: 'develop', isSensitive: true, submit: keys.removeOrigin },
  ]),
  page({ path: 'developers/keys/:id', permission: 'develop', show: keys.showKey }, [
    { path: 'developers/keys/:id', permission: 'develop', isSensitive: true, submit: keys.retire },
  ]),
  page({ path: 'developers/webhooks', permission: 'develop', tab: 'Webhooks', show: webhooks.showWebhooks }, [
    { path: 'developers/webhooks', permission: 'develop', isSensitive: true, submit: webhooks.create },
  ]),
  page({ path: 'developers/webhooks/:id', permission: 'develop', show: webhooks.showWebhook }, [
    { path: 'developers/webhooks/:id/secret', permission: 'develop', isSensitive: true, submit: webhooks.rotate },
    { path: 'developers/webhooks/:id/enable', permission: 'develop', isSensitive: true, submit: webhooks.enable },
    { path: 'developers/webhooks/:id/test', permission: 'develop', isSensitive: true, submit: webhooks.test },
    { path: 'developers/webhooks/:id/redeliver', permission: 'develop', isSensitive: true, submit: webhooks.redeliver },
    { path: 'developers/webhooks/:id/remove', permission: 'develop', isSensitive: true, submit: webhooks.remove },
  ]),
  page({ path: 'developers/requests', permission: 'develop', tab: 'Requests', show: requests.showRequests }),
  page({ path: 'developers/requests/:id', permission: 'develop', show: requests.showRequest }),
  page({ path: 'developers/button', permission: 'develop', tab: 'Button', show: button.showButton }),
  page({ path: 'developers/sandbox', permission: 'develop', isSandboxOnly: true, tab: 'Sandbox', show: sandbox.showSandbox }, [
    { path: 'developers/sandbox/clock', permission: 'develop', isSensitive: true, submit: sandbox.moveClock },
  ]),
  page({ path: 'developers/sandbox/messages/:id', permission: 'develop', isSandboxOnly: true, show: sandbox.showMessage }),
  page({ path: 'developers/sandbox/messages/:id/html', permission: 'develop', isSandboxOnly: true, show: sandbox.showEmail }),
  page({ path: 'settings', permission: 'view', tab: 'Store', show: store.showStore }, [
    { path: 'settings', permission: 'administer', isSensitive: true, hasFile: true, submit: store.saveStore },
    { path: 'settings/approval', permission: 'administer', isSensitive: true, submit: store.saveApproval },
  ]),
  page({ path: 'settings/preview', permission: 'view', show: store.showPreview }),
  page({ path: 'settings/team', permission: 'view', tab: 'Team', show: team.showTeam }, [
    { path: 'settings/team', permission: 'administer', isSensitive: true, submit: team.invite },
  ]),
  page({ path: 'settings/team/:id', permission: 'administer', show: team.showMember }, [
    { path: 'settings/team/:id', permission: 'administer', isSensitive: true, submit: team.changeMember },
    { path: 'settings/team/:id/remove', permission: 'administer', isSensitive: true, submit: team.removeMember },
  ]),
  page({ path: 'settings/passkeys', permission: 'view', isSensitive: true, tab: 'Your passkeys', show: passkeys.showPasskeys }, [
    { path: 'settings/passkeys', permission: 'view', isSensitive: true, submit: passkeys.addPasskey },
  ]),
  page({ path: 'settings/passkeys/:id', permission: 'view', show: passkeys.showPasskey }, [
    { path: 'settings/passkeys/:id', permission: 'view', isSensitive: false, submit: passkeys.rename },
    { path: 'settings/passkeys/:id/remove', permission: 'view', isSensitive: true, submit: passkeys.remove },
  ]),
  page({ path: 'settings/security', permission: 'administer', tab: 'Security', show: security.showSecurity }),
];

/** All forms of the console. */
export const actions: readonly ScreenAction[] = screens.flatMap((screen) =>
  screen.actions.map((action) => ({ ...action, screen })),
);

/** A page, and the forms on it. */
function page(screen: Omit<Screen, 'actions'>, forms: readonly Action[] = []): Screen {
  return { ...screen, actions: forms };
}
