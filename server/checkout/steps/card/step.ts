import type { StartedSession } from '../../session/session.ts';
import { canSign } from '../../session/state.ts';
import { emptyForm, invalid, type Step, type Submitted } from '../step.ts';
import { canNameCard, startCardEntry, type CardResult, finishCardEntry } from './submit.ts';
import { cardPage } from './template.ts';

/** The card that pays what is not financed. */
export const card: Step = {
  name: 'card',
  title: (t) => t.card.title,
  appliesTo: ({ parts }) => parts.cardCents > 0,
  isOpen: canNameCard,
  isDone: canSign,
  form: emptyForm,
  template: (session: StartedSession, form, view, _now, { cards }) => cardPage(session, form, view, cards?.testCards),
  submit: async (deps, session, body, now, way) => {
    const picked = (body as { card?: unknown } | undefined)?.card;
    const result = await startCardEntry(deps, session, picked, way, now);
    if (typeof result === 'object') return result;
    return result === 'none' ? invalid({ typed: {}, errors: { card: ({ messages }) => messages.card } }) : submittedAfter(result);
  },
  resume: async (deps, session, entry, now, way) => submittedAfter(await finishCardEntry(deps, session, entry, way, now)),
  leadsOut: ({ cards }) => !cards?.testCards,
};

function submittedAfter(result: CardResult): Submitted {
  if (result === 'saved') return 'next';
  const isCanceled = result === 'none';
  const notice = { ...emptyForm(), notice: ({ card: t }: Parameters<Step['title']>[0]) => (isCanceled ? t.none : t.unavailable) };
  return { retry: notice, status: isCanceled ? 200 : 503 };
}
