import { REASON_CODES } from '../../shared/programs/denial-reason.ts';
import { referenceOf } from '../applications/reference.ts';
import { findApplication } from '../applications/store.ts';
import { resolutionsFor, RESOLUTIONS, resolveException } from '../checkout/decision/exceptions.ts';
import { findException, listExceptions, type ListedException } from '../exceptions/store.ts';
import { requireMerchant } from '../merchants/store.ts';
import {
  choiceOption,
  type Command,
  command,
  commandOn,
  flag,
  limitOption,
  printResult,
  required,
  tableLines,
  text,
  UsageError,
  withDatabase,
} from './command.ts';

/** Commands for requests to lenders that a person has to resolve. They print no personal data. */
export const exceptionCommands: Record<string, Command> = {
  'exception list': command(
    '[--merchant M] [--all] [--limit N] [--json]   (--all: also those that are closed)',
    { merchant: text, all: flag, limit: text, json: flag },
    async ({ merchant: merchantId, all, limit: typedLimit, json }, context) => {
      const limit = limitOption(typedLimit, { byDefault: 100 });
      const exceptions = await withDatabase(context, async ({ query }) => {
        if (merchantId !== undefined) await requireMerchant(query, merchantId);
        return listExceptions(query, { merchantId, isOpen: !all, limit });
      });
      printResult(context, json, { exceptions: exceptions.map(presented) }, listLines(exceptions));
    },
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

function listLines(exceptions: readonly ListedException[]): string[] {
  return tableLines(exceptions.map(presented), [
    ['id', ({ id }) => id],
    ['kind', ({ kind }) => kind],
    ['raised', ({ raisedAt }) => raisedAt.slice(0, 19)],
    ['denied', ({ deniedAt }) => deniedAt?.slice(0, 19) ?? ''],
    ['reference', ({ reference }) => reference],
    ['application', ({ status }) => status],
    ['resolution', ({ resolution }) => resolution ?? ''],
    ['actor', ({ actor }) => actor ?? ''],
    ['reason', ({ reason }) => reason ?? ''],
  ]);
}
