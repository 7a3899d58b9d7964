import { SECURITY_EVENT_KINDS } from '../../db/schema.ts';
import { listSecurityEvents } from '../../merchants/security-events.ts';
import { type Command, option } from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';

/** Lists failed logins, and changes of credentials and merchants. */
export const securityEventsCommands: Record<string, Command> = {
  'security-events': listCommand(`[--kind K] ${MERCHANT_LIST_USAGE}`, {
    name: 'events',
    filters: { kind: option.choice(SECURITY_EVENT_KINDS) },
    read: (query, filter, { kind }) => listSecurityEvents(query, { ...filter, kind }),
    columns: [
      ['occurred', ({ occurredAt }) => occurredAt.slice(0, 19)],
      ['kind', ({ kind }) => kind],
      ['count', ({ count }) => String(count), 'number'],
      ['actor', ({ actor }) => actor],
      ['network', ({ network }) => network ?? ''],
      ['merchant', ({ merchantId }) => merchantId ?? ''],
      ['details', ({ details }) => Object.entries(details).flatMap(detailText).join(', ')],
    ],
  }),
};

function detailText([name, value]: [string, string | readonly string[]]): string[] {
  const texts = [value].flat();
  return texts.length > 0 ? [`${name} ${texts.join(' ')}`] : [];
}
