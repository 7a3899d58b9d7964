import { fill } from '../../../../shared/languages/texts.ts';
import { ServiceError } from '../../../base/errors.ts';
import { emptyForm } from '../../../http/pages/elements.ts';
import { hiddenField } from '../../../http/pages/read-form.ts';
import { requestDecision } from '../../decision/request.ts';
import { canApply, isUnanswered } from '../../session/state.ts';
import { nextSessionHash } from '../../web/forms.ts';
import { invalid, type Step } from '../step.ts';
import { readApplication } from './form.ts';
import { applicationPage } from './template.ts';

/** The step in which the buyer applies for credit. */
export const applicationStep: Step = {
  name: 'apply',
  title: (t, session) =>
    isUnanswered(session) ? fill(t.application.unreachable, { lender: session.program.lender.name }) : t.application.title,
  appliesTo: () => true,
  isOpen: canApply,
  // The step closes with the decision: it is never done while it is open.
  isDone: () => false,
  // The values of the request that the lender did not answer are not stored.
  form: (session) =>
    isUnanswered(session)
      ? {
          values: { consent: 'yes', electronic: 'yes' },
          errors: {},
          formError: (t) => t.application.noAnswer,
        }
      : emptyForm(),
  template: (session, form, view, _now, { mail }) => applicationPage(session, form, view, mail.handling),
  submit: async (deps, { program, application }, body, now, { lang }, client) => {
    const read = readApplication(body, program, application.billingContact.state, now);
    if (!read.ok) return invalid(read);
    try {
      await requestDecision(deps, application, read.applicant, now, {
        changes: { language: lang, sessionHash: nextSessionHash(body) },
        shownConsents: hiddenField(body, 'shownConsents'),
        client,
      });
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'lender-unavailable') return 'next';
      if (thrown instanceof ServiceError && thrown.code === 'not-configured') return 'no-cards';
      if (thrown instanceof ServiceError && thrown.code === 'changed-meanwhile') return 'changed';
      throw thrown;
    }
    return 'next';
  },
  renewsSecret: true,
  awaitsLender: true,
  leavesAfterFailure: true,
};
