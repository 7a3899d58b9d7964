import { html } from '@lit-labs/ssr';
import { listSecurityEvents, type SecurityEvent } from '../../merchants/security-events.ts';
import type { Instant } from '../../base/time.ts';
import { namesOfUsers } from '../users/store.ts';
import { list } from '../web/list.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';

const PAGE_SIZE = 50;

/** The sign-ins and changes of a merchant, and for users of all merchants those of the tenant, the newest first. */
export const showSecurity: Show = async (request) => {
  const { deps, merchant, user, query, to, time } = request;
  const of = { merchantId: merchant.id, ...(user.merchantId === null && { tenantId: merchant.tenantId }) };
  const filter = { ...of, after: positionIn(query.get('after')), limit: PAGE_SIZE };
  const events = await listSecurityEvents(deps.database.query, filter);
  const people = events.flatMap(({ actor, details }) => [actor.replace(/^user:/, ''), String(details['userId'] ?? '')]);
  const names = await namesOfUsers(deps.database.query, merchant.tenantId, people);
  const last = events.length === PAGE_SIZE ? events.at(-1) : undefined;
  return {
    title: 'Security',
    content: html`<p class="lead">Who signed in, and who changed people, keys and settings of this merchant.</p>
      ${list({
        caption: 'Security',
        rows: events,
        empty: 'Nothing has happened yet.',
        next: last && to('settings/security', { after: `${last.occurredAt} ${last.id}` }),
        columns: [
          { label: 'Event', cell: ({ kind }) => KINDS[kind] ?? kind },
          { label: 'By', cell: ({ actor }) => actorName(actor, names) },
          { label: 'Time', cell: ({ occurredAt }) => time(occurredAt) },
          { label: 'Details', cell: (event) => html`<small>${detailsOf(request, event, names)}</small>` },
        ],
      })}`,
  };
};

/** Returns the last event of the previous page. @param after - Unknown input. */
function positionIn(after: string | null): { occurredAt: Instant; id: string } | undefined {
  const [, occurredAt = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]{15}Z) ([\da-f-]{36})$/.exec(after ?? '') ?? [];
  return isTimestamp(occurredAt) ? { occurredAt, id } : undefined;
}

function isTimestamp(text: string): text is Instant {
  return text !== '' && !Number.isNaN(Date.parse(text));
}

const KINDS: Partial<Record<string, string>> = {
  'user-signed-in': 'Signed in',
  'user-signed-out': 'Signed out',
  'user-invited': 'Invited a person',
  'user-changed': 'Changed a role',
  'user-removed': 'Removed a person',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
  'merchant-created': 'Created the merchant',
  'merchant-changed': 'Changed settings',
  'refund-approval-changed': 'Changed the second approval of refunds',
  'key-created': 'Created a key',
  'key-retired': 'Retired a key',
  'callback-secret-created': 'Created a callback secret',
  'callback-secret-retired': 'Retired a callback secret',
  'webhook-created': 'Created a webhook',
  'webhook-secret-created': 'Rotated the secret of a webhook',
  'webhook-disabled': 'Disabled a webhook',
  'webhook-enabled': 'Enabled a webhook',
  'webhook-deleted': 'Deleted a webhook',
  'agreement-sent': 'Sent an agreement again',
  'link-canceled': 'Canceled a link',
  'refund-requested': 'Requested a refund',
  'refund-approved': 'Approved a refund',
  'refund-rejected': 'Rejected a refund',
  'token-minted': 'Issued a token',
  'payout-corrected': 'Corrected a payout',
  'orders-exported': 'Exported orders',
};

function actorName(actor: string, names: ReadonlyMap<string, string>): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'user') return names.get(id) ?? id;
  return kind === 'key' ? `Key ${id}` : 'Operator';
}

/** Returns the details of an event, without the id of the user who caused it. */
function detailsOf(request: ConsoleRequest, { kind, actor, details }: SecurityEvent, names: ReadonlyMap<string, string>): string {
  if (kind === 'refund-approval-changed') return approvalText(request, details);
  return Object.entries(details)
    .filter(([name, value]) => !(name === 'userId' && actor === `user:${String(value)}`) && value.length > 0)
    .map(([, value]) =>
      [value]
        .flat()
        .map((each) => names.get(each) ?? each)
        .join(', '),
    )
    .join(' · ');
}

/** Returns the sums of refunds before and after a change. */
function approvalText({ money }: ConsoleRequest, { before, after }: SecurityEvent['details']): string {
  const sum = (cents: unknown) => money(Number(cents));
  if (before === after) return '';
  if (before === 'none') return `Switched off before, above ${sum(after)} now`;
  return `Above ${sum(before)} before, ${after === 'none' ? 'switched off' : `above ${sum(after)}`} now`;
}
