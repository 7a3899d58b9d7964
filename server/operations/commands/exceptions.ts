import { REASON_CODES } from '../../../shared/programs/denial-reason.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { findApplication } from '../../lending/applications/store.ts';
import { resolutionsFor, RESOLUTIONS, resolveException } from '../../checkout/waiting/exceptions.ts';
import { findException, listExceptions, type ListedException } from '../../lending/exceptions/store.ts';
import {
  choiceOption,
  type Column,
  command,
  type Command,
  commandOn,
  flag,
  printResult,
  required,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { MERCHANT_LIST_OPTIONS, MERCHANT_LIST_USAGE, printList } from './list.ts';

/** Commands for requests to lenders that a person has to resolve. They print no personal data. */
export const exceptionCommands: Record<string, Command> = {
  'exception list': command(
    `[--all] ${MERCHANT_LIST_USAGE}   (--all: also those that are closed)`,
    { all: flag, ...MERCHANT_LIST_OPTIONS },
    (values, context) =>
      printList(context, values, {
        name: 'exceptions',
        columns: COLUMNS,
        read: async (query, filter) => (await listExceptions(query, { ...filter, isOpen: !values.all })).map(presented),
      }),
  ),

  'exception show': commandOn('ID [--json]', 'ID', { json: flag }, async (id, { json }, context) => {
    const shown = await withDatabase(context, async ({ query }) => {
      const exception = await findException(query, id);
      const application = exception && (await findApplication(query, exception.applicationId));
      if (!application) throw new Error(`ID: expected the id of an exception, but received "${id}"`);
      const { status, statusCode, expiresAt, requestAttempts, requestDueAt } = application;
      return {
        ...presented({ ...exception, status, statusCode, expiresAt }),
        attempts: requestAttempts,
        nextAttemptAt: requestDueAt,
        canResolveAs: resolutionsFor(exception, application),
      };
    });
    const lines = Object.entries(shown).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
    printResult(context, json, shown, lines);
  }),

  'exception resolve': commandOn(
    'ID --as retry|deny|accepted|rejected --actor NAME --reason R [--denial-reason CODE] [--json]',
    'ID',
    { as: required, actor: required, reason: required, 'denial-reason': text, json: flag },
    async (id, values, context) => {
      const resolution = choiceOption('--as', values.as, RESOLUTIONS)!;
      const denialReason = choiceOption('--denial-reason', values['denial-reason'], REASON_CODES) ?? null;
      const isDenial = resolution === 'deny' || resolution === 'rejected';
      if (denialReason !== null && !isDenial) throw new UsageError('expected --denial-reason only with deny or rejected');
      if (denialReason === null && resolution === 'deny')
        throw new UsageError('expected --denial-reason, which the notice states');
      const { actor, reason, json } = values;
      const saved = await withDatabase(context, (database) =>
        resolveException(database, id, { resolution, actor, reason, denialReason }, context.clock.now()),
      );
      const { applicationId, resolvedAt } = saved;
      printResult(context, json, { id, applicationId, resolution, resolvedAt }, [
        `${id}  ${resolution}; the service applies it within seconds`,
      ]);
    },
  ),
};

function presented(exception: ListedException) {
  const { id, applicationId, merchantId, kind, status, statusCode, raisedAt, expiresAt } = exception;
  const { resolution, denialReason, actor, reason, resolvedAt, closedAt } = exception;
  const deniedAt = kind === 'agreement' ? null : expiresAt;
  const reference = referenceOf(applicationId);
  const application = { applicationId, reference, merchantId, status, statusCode, deniedAt };
  return { id, kind, raisedAt, ...application, resolution, denialReason, actor, reason, resolvedAt, closedAt };
}

const COLUMNS: readonly Column<ReturnType<typeof presented>>[] = [
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['raised', ({ raisedAt }) => raisedAt.slice(0, 19)],
  ['denied', ({ deniedAt }) => deniedAt?.slice(0, 19) ?? ''],
  ['reference', ({ reference }) => reference],
  ['application', ({ status }) => status],
  ['resolution', ({ resolution }) => resolution ?? ''],
  ['actor', ({ actor }) => actor ?? ''],
  ['reason', ({ reason }) => reason ?? ''],
];
