import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/languages/texts.ts';
import type { Screen } from '../web/screen.ts';

/** The first page after a sign-in. */
export const home: Screen = {
  path: '',
  section: 'home',
  permission: 'view',
  show: async ({ t, merchant }) => ({
    title: t.console.home.title,
    content: html`<p class="lead">${fill(t.console.home.lead, { merchant: merchant.name })}</p>`,
  }),
};
