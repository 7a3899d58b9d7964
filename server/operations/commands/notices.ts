import { type Notice, findNotice, openNotice } from '../../agreements/sent-notices.ts';
import { resolveApplicationId } from '../../lending/applications/store.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { maskedAddress, recipientOf } from '../../messages/addresses.ts';
import { presentAttempt } from '../../messages/deliveries.ts';
import { NOTICE_KINDS } from '../../lending/lenders/events.ts';
import { listAttempts, listDeliveries, deliveryState } from '../../messages/store.ts';
import { command, type Command, option, printResult, withDatabase } from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';
import { attemptLines } from './deliveries.ts';

/** Commands for the notices that were sent to buyers in the name of the lender. `--application` is an id or a short reference. */
export const noticeCommands: Record<string, Command> = {
  'notice list': listCommand(`[--application A] [--kind ${NOTICE_KINDS.join('|')}] ${MERCHANT_LIST_USAGE}`, {
    name: 'notices',
    filters: { application: option.text, kind: option.choice(NOTICE_KINDS) },
    read: async (query, filter, { application, kind }) => {
      const applicationId = application === undefined ? undefined : await resolveApplicationId(query, application);
      const emails = await listDeliveries(query, { ...filter, notices: kind ?? 'all', applicationId });
      const opened = await Promise.all(emails.map((email) => openNotice(query, email)));
      return opened.flatMap((notice) => (notice ? [presented(notice)] : []));
    },
    columns: [
      ['id', ({ id }) => id],
      ['state', ({ state }) => state],
      ['kinds', ({ kinds }) => kinds.join(' ')],
      ['created', ({ createdAt }) => createdAt.slice(0, 19)],
      ['reference', ({ reference }) => reference],
      ['to', ({ to }) => to],
      ['last failure', ({ lastFailure }) => lastFailure],
    ],
  }),

  'notice show': command(
    'ID [--html] [--json]   (--html: only the HTML, as it was sent)',
    { ID: option.argument, html: option.flag, json: option.flag },
    async ({ ID: id, html: isHtml, json }, context) => {
      const { notice, log } = await withDatabase(context, async ({ query }) => {
        const found = await findNotice(query, id);
        if (!found) throw new Error(`ID: expected the id of a notice, but received "${id}"`);
        return { notice: found, log: (await listAttempts(query, id)).map(presentAttempt) };
      });
      const { html, email } = notice;
      const shown = { ...presented(notice), to: recipientOf(email.url), log };
      if (isHtml) return context.print(html ?? '');
      const { log: _, ...facts } = shown;
      printResult(context, json, { ...shown, html }, [
        ...Object.entries(facts).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`),
        ...attemptLines(log),
      ]);
    },
  ),
};

function presented({ kinds, language, sha256, isLinked, email }: Notice) {
  const { id, merchantId, applicationId, url, createdAt, deliveredAt, openedAt, lastFailure } = email;
  return {
    id,
    kinds,
    merchantId,
    applicationId,
    reference: referenceOf(applicationId),
    language,
    sha256,
    to: maskedAddress(url),
    isLinked,
    state: deliveryState(email),
    createdAt,
    deliveredAt,
    openedAt,
    lastFailure,
  };
}
