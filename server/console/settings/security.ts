import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/languages/texts.ts';
import { listSecurityEvents, type SecurityEvent } from '../../security-events/store.ts';
import type { Texts } from '../../texts.ts';
import type { Instant } from '../../time.ts';
import { namesOfUsers } from '../../users/store.ts';
import { list } from '../web/list.ts';
import type { ConsoleRequest, Screen } from '../web/screen.ts';

const PAGE_SIZE = 50;

/** The sign-ins and changes of a merchant, and for users of all merchants those of the tenant, the newest first. */
export const security: Screen = {
  path: 'settings/security',
  tab: (t) => t.console.settings.security.title,
  permission: 'administer',
  show: async (request) => {
    const { deps, merchant, user, query, t, to, time } = request;
    const own = t.console.settings.security;
    const of = { merchantId: merchant.id, ...(user.merchantId === null && { tenantId: merchant.tenantId }) };
    const filter = { ...of, after: positionIn(query.get('after')), limit: PAGE_SIZE };
    const events = await listSecurityEvents(deps.database.query, filter);
    const people = events.flatMap(({ actor, details }) => [actor.replace(/^user:/, ''), String(details['userId'] ?? '')]);
    const names = await namesOfUsers(deps.database.query, merchant.tenantId, people);
    const last = events.length === PAGE_SIZE ? events.at(-1) : undefined;
    return {
      title: own.title,
      content: html`<p class="lead">${own.lead}</p>
        ${list(t, {
          caption: own.title,
          rows: events,
          empty: own.empty,
          next: last && to('settings/security', { after: `${last.occurredAt} ${last.id}` }),
          columns: [
            { label: own.event, cell: ({ kind }) => kindName(t, kind) },
            { label: own.who, cell: ({ actor }) => actorName(t, actor, names) },
            { label: own.time, cell: ({ occurredAt }) => time(occurredAt) },
            { label: own.details, cell: (event) => html`<small>${detailsOf(request, event, names)}</small>` },
          ],
        })}`,
    };
  },
};

/** Returns the last event of the previous page. @param after - Unknown input. */
function positionIn(after: string | null): { occurredAt: Instant; id: string } | undefined {
  const [, occurredAt = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]{15}Z) ([\da-f-]{36})$/.exec(after ?? '') ?? [];
  return isTimestamp(occurredAt) ? { occurredAt, id } : undefined;
}

function isTimestamp(text: string): text is Instant {
  return text !== '' && !Number.isNaN(Date.parse(text));
}

function kindName(t: Texts, kind: string): string {
  const kinds: Partial<Record<string, string>> = t.console.settings.security.kinds;
  return kinds[kind] ?? kind;
}

function actorName(t: Texts, actor: string, names: ReadonlyMap<string, string>): string {
  const own = t.console.settings.security;
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'user') return names.get(id) ?? id;
  return kind === 'key' ? fill(own.key, { id }) : own.operator;
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
function approvalText({ t, money }: ConsoleRequest, { before, after }: SecurityEvent['details']): string {
  const own = t.console.settings.security;
  const text = before === 'none' ? own.approvalOn : after === 'none' ? own.approvalOff : own.approvalChange;
  const sum = (cents: unknown) => (cents === 'none' ? '' : money(Number(cents)));
  return before === after ? '' : fill(text, { before: sum(before), after: sum(after) });
}
