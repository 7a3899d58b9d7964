import { startOfUtcDay } from '../time.ts';
import { SECURITY_EVENT_KINDS } from '../db/schema.ts';
import { listSecurityEvents, type SecurityEvent } from '../security-events/store.ts';
import {
  choiceOption,
  type Command,
  command,
  dateOption,
  flag,
  limitOption,
  printResult,
  tableLines,
  text,
  withDatabase,
} from './command.ts';

/** Lists failed logins, and changes of credentials and merchants. */
export const securityEventsCommands: Record<string, Command> = {
  'security-events': command(
    '[--since YYYY-MM-DD] [--kind K] [--limit N] [--json]',
    { since: text, kind: text, limit: text, json: flag },
    async (values, context) => {
      const since = dateOption('--since', values.since);
      const kind = choiceOption('--kind', values.kind, SECURITY_EVENT_KINDS);
      const limit = limitOption(values.limit, { byDefault: 100, max: 10_000 });
      const events = await withDatabase(context, ({ query }) =>
        listSecurityEvents(query, { since: since && startOfUtcDay(since), kind, limit }),
      );
      printResult(context, values.json, { events }, listLines(events));
    },
  ),
};

function listLines(events: readonly SecurityEvent[]): string[] {
  return tableLines(events, [
    ['occurred', ({ occurredAt }) => occurredAt.slice(0, 19)],
    ['kind', ({ kind }) => kind],
    ['count', ({ count }) => String(count), 'number'],
    ['actor', ({ actor }) => actor],
    ['network', ({ network }) => network ?? ''],
    ['merchant', ({ merchantId }) => merchantId ?? ''],
    ['details', ({ details }) => Object.entries(details).map(detailText).join(', ')],
  ]);
}

function detailText([name, value]: [string, string | readonly string[]]): string {
  return `${name} ${[value].flat().join(' ')}`;
}
