import { SECURITY_EVENT_KINDS } from '../../db/schema.ts';
import { listSecurityEvents, type SecurityEvent } from '../../merchants/security-events.ts';
import { choiceOption, type Column, command, type Command, text } from './command.ts';
import { MERCHANT_LIST_OPTIONS, MERCHANT_LIST_USAGE, printList } from './list.ts';

/** Lists failed logins, and changes of credentials and merchants. */
export const securityEventsCommands: Record<string, Command> = {
  'security-events': command(
    `[--kind K] ${MERCHANT_LIST_USAGE}`,
    { kind: text, ...MERCHANT_LIST_OPTIONS },
    async (values, context) => {
      const kind = choiceOption('--kind', values.kind, SECURITY_EVENT_KINDS);
      await printList(context, values, {
        name: 'events',
        columns: COLUMNS,
        read: (query, filter) => listSecurityEvents(query, { ...filter, kind }),
      });
    },
  ),
};

const COLUMNS: readonly Column<SecurityEvent>[] = [
  ['occurred', ({ occurredAt }) => occurredAt.slice(0, 19)],
  ['kind', ({ kind }) => kind],
  ['count', ({ count }) => String(count), 'number'],
  ['actor', ({ actor }) => actor],
  ['network', ({ network }) => network ?? ''],
  ['merchant', ({ merchantId }) => merchantId ?? ''],
  ['details', ({ details }) => Object.entries(details).map(detailText).join(', ')],
];

function detailText([name, value]: [string, string | readonly string[]]): string {
  return `${name} ${[value].flat().join(' ')}`;
}
