import { REASON_CODES } from '../../../shared/programs/denial-reason.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { findApplication } from '../../lending/applications/store.ts';
import { resolutionsFor, RESOLUTIONS, resolveException } from '../../checkout/waiting/exceptions.ts';
import { findException, listExceptions, type ListedException } from '../../lending/exceptions/store.ts';
import { command, type Command, databaseCommand, option, printResult, UsageError, withDatabase } from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';

/** Commands for requests to lenders that a person has to resolve. They print no personal data. */
export const exceptionCommands: Record<string, Command> = {
  'exception list': listCommand(`[--all] ${MERCHANT_LIST_USAGE}   (--all: also those that are closed)`, {
    name: 'exceptions',
    filters: { all: option.flag },
    read: async (query, filter, { all }) => (await listExceptions(query, { ...filter, isOpen: !all })).map(presented),
    columns: [
      ['id', ({ id }) => id],
      ['kind', ({ kind }) => kind],
      ['raised', ({ raisedAt }) => raisedAt.slice(0, 19)],
      ['denied', ({ deniedAt }) => deniedAt?.slice(0, 19) ?? ''],
      ['reference', ({ reference }) => reference],
      ['application', ({ status }) => status],
      ['resolution', ({ resolution }) => resolution ?? ''],
      ['actor', ({ actor }) => actor ?? ''],
      ['reason', ({ reason }) => reason ?? ''],
      ['fault', ({ fault }) => fault ?? ''],
    ],
  }),

  'exception show': databaseCommand('ID [--json]', { ID: option.argument }, async ({ ID: id }, { query }) => {
    const exception = await findException(query, id);
    const application = exception && (await findApplication(query, exception.applicationId));
    if (!application) throw new Error(`ID: expected the id of an exception, but received "${id}"`);
    const { status, statusCode, expiresAt, invalidOutcome, requestAttempts, requestDueAt } = application;
    const value = {
      ...presented({ ...exception, status, statusCode, expiresAt, invalidOutcome }),
      attempts: requestAttempts,
      nextAttemptAt: requestDueAt,
      canResolveAs: resolutionsFor(exception, application),
    };
    return { value, lines: Object.entries(value).map(([name, each]) => `${name}: ${[each].flat().join(', ')}`) };
  }),

  'exception resolve': command(
    'ID --as retry|deny|accepted|rejected|keep --actor NAME --reason R [--denial-reason CODE] [--json]',
    {
      ID: option.argument,
      as: { ...option.required, ...option.choice(RESOLUTIONS) },
      actor: option.required,
      reason: option.required,
      'denial-reason': option.choice(REASON_CODES),
      json: option.flag,
    },
    async ({ ID: id, as: resolution, actor, reason, 'denial-reason': denialReason = null, json }, context) => {
      const isDenial = resolution === 'deny' || resolution === 'rejected';
      if (denialReason !== null && !isDenial) throw new UsageError('expected --denial-reason only with deny or rejected');
      if (denialReason === null && resolution === 'deny')
        throw new UsageError('expected --denial-reason, which the notice states');
      const saved = await withDatabase(context, (database) =>
        resolveException(database, id, { resolution, actor, reason, denialReason }, context.clock.now()),
      );
      const { applicationId, resolvedAt } = saved;
      printResult(context, json, { id, applicationId, resolution, resolvedAt }, [
        `${id}  ${resolution}; ${resolution === 'keep' ? 'it is closed' : 'the service applies it within seconds'}`,
      ]);
    },
  ),
};

function presented(exception: ListedException) {
  const { id, applicationId, merchantId, kind, fault, status, statusCode, raisedAt, expiresAt, invalidOutcome } = exception;
  const { resolution, denialReason, actor, reason, resolvedAt, closedAt } = exception;
  // The service denies an application at its expiry. A signed agreement has none, and an invalid approval is not denied.
  const isDenied = (kind === 'decision' || kind === 'undecided') && invalidOutcome !== 'approved';
  const deniedAt = isDenied ? expiresAt : null;
  const reference = referenceOf(applicationId);
  const application = { applicationId, reference, merchantId, status, statusCode, deniedAt };
  return { id, kind, fault, raisedAt, ...application, resolution, denialReason, actor, reason, resolvedAt, closedAt };
}
