import { readFileSync } from 'node:fs';
import { html, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Middleware } from 'koa';
import type { TemplateResult } from 'lit';
import type { Application, Book } from './lender.ts';
import { bookedLoan, type Event, type Loan, type Payment, scheduleOf } from './loan.ts';

const styles = readFileSync(new URL('lender.css', import.meta.url), 'utf8');
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Responds to browsers on this machine with the page of the loans and its style sheet. */
export function showPage(book: Book): Middleware {
  return async (ctx, next) => {
    const isPage = ctx.path === '/';
    if (ctx.method !== 'GET' || (!isPage && ctx.path !== '/lender.css')) {
      await next();
      return;
    }
    // Another site cannot read the page by a host name of its own that resolves to this machine.
    if (!['localhost', '127.0.0.1', '[::1]'].includes(ctx.hostname)) ctx.throw(403);
    ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
    ctx.type = isPage ? 'html' : 'css';
    ctx.body = isPage ? loansPage(book) : styles;
  };
}

/** Renders the lender's book: loans with their schedules and events, and applications, the latest first. It has no data about buyers. */
function loansPage(book: Book): string {
  const loans = [...book.loans.values()].toReversed();
  const applications = [...book.applications.values()].toReversed();
  const page = html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Loans · Reference lender</title>
        <link rel="stylesheet" href="/lender.css" />
      </head>
      <body>
        <header><p class="brand">Reference lender</p></header>
        <main>
          <h1>Loans</h1>
          <p class="lead">What this lender decided, booked, and received from Fairterm. Reload the page to see changes.</p>
          ${loans.length === 0 ? html`<p class="empty">No loans yet. Sign a payment agreement in the demo shop.</p>` : loans.map(loanSection)}
          <h2>Applications</h2>
          ${applications.length === 0 ? html`<p class="empty">No applications yet.</p>` : applicationsTable(applications)}
        </main>
        <footer><p>A demonstration: no loan is made. Buyers' names and addresses are not shown.</p></footer>
      </body>
    </html>
  `;
  return collectResultSync(render(page));
}

function loanSection(loan: Loan): TemplateResult {
  const { number, agreement, events } = loan;
  const { disclosure, merchant, order } = agreement;
  const money = moneyIn(disclosure.currency);
  const schedule = scheduleOf(loan);
  const status = events.findLast((event) => event.status !== undefined)?.status ?? 'SIGNED';
  const isRecast = schedule !== undefined && schedule !== disclosure.payments && schedule.length > 0;
  return html`
    <section class="loan" aria-labelledby=${number}>
      <h2 id=${number}>${number}</h2>
      <p class="status">${status}</p>
      <dl>
        ${fact('Merchant', merchant.name)} ${fact('Order', order.reference || 'none')}
        ${fact('Principal', money(disclosure.principalCents))} ${fact('Rate', `${(disclosure.noteRateBps / 100).toFixed(2)} %`)}
        ${fact('Still financed', money(bookedLoan(loan).financedCents))}
      </dl>
      <div class="tables">
        <div>
          <h3>Events</h3>
          ${events.length === 0 ? html`<p class="empty">None yet. The shop authorizes and settles the order.</p>` : eventsTable(number, events, money)}
        </div>
        <div>
          <h3>Schedule${isRecast ? ', recast' : ''}</h3>
          ${scheduleContent(number, schedule, money)}
        </div>
      </div>
    </section>
  `;
}

function eventsTable(number: string, events: readonly Event[], money: (cents: number) => string): TemplateResult {
  const rows = events.map(
    ({ sequence, at, type, financedCents }) => html`
      <tr>
        <td class="number">${sequence}</td>
        <th scope="row">${type}</th>
        <td>${timeOf(new Date(at))}</td>
        <td class="number">${financedCents === undefined ? '' : money(financedCents)}</td>
      </tr>
    `,
  );
  return table(`Events of ${number}`, ['No.', 'Event', 'Time (UTC)', 'Financed'], ['No.', 'Financed'], rows);
}

/** Renders the schedule, or a sentence without one: the service calculates it, or there is no loan. */
function scheduleContent(
  number: string,
  schedule: readonly Payment[] | undefined,
  money: (cents: number) => string,
): TemplateResult {
  if (!schedule) {
    const reason = 'The order was settled after the day of the agreement, so that interest starts later.';
    return html`<p class="empty">${reason} Fairterm calculates the payments.</p>`;
  }
  if (schedule.length === 0) return html`<p class="empty">No payments: there is no loan.</p>`;
  const rows = schedule.map(
    ({ dueOn, paymentCents, interestCents, balanceCents }) => html`
      <tr>
        <th scope="row"><time>${dueOn}</time></th>
        <td class="number">${money(paymentCents)}</td>
        <td class="number">${money(interestCents)}</td>
        <td class="number">${money(balanceCents)}</td>
      </tr>
    `,
  );
  return table(`Schedule of ${number}`, ['Due', 'Payment', 'Interest', 'Balance'], ['Payment', 'Interest', 'Balance'], rows);
}

function applicationsTable(applications: readonly Application[]): TemplateResult {
  const rows = applications.map(({ receivedMs, merchantName, amountCents, decision: { outcome, tierId = '', limitCents } }) => {
    const money = moneyIn('USD');
    return html`
      <tr>
        <th scope="row">${timeOf(new Date(receivedMs))}</th>
        <td>${merchantName}</td>
        <td class="number">${money(amountCents)}</td>
        <td>${outcome}${tierId && `, tier ${tierId}`}${limitCents ? `, up to ${money(limitCents)}` : ''}</td>
      </tr>
    `;
  });
  return table('Applications', ['Received (UTC)', 'Merchant', 'Amount', 'Decision'], ['Amount'], rows);
}

/**
 * Renders a table that scrolls on its own, and that the keyboard reaches, where it is wider than the page.
 *
 * @param numeric - The headings above numbers, which are aligned to the right as the numbers are.
 */
function table(
  label: string,
  headings: readonly string[],
  numeric: readonly string[],
  rows: readonly TemplateResult[],
): TemplateResult {
  return html`
    <div class="scroll" role="region" aria-label=${label} tabindex="0">
      <table>
        <thead>
          <tr>
            ${headings.map((heading) => html`<th scope="col" class=${numeric.includes(heading) ? 'number' : ''}>${heading}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  `;
}

function fact(label: string, value: string): TemplateResult {
  return html`
    <div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `;
}

function timeOf(at: Date): TemplateResult {
  const iso = at.toISOString();
  return html`<time datetime=${iso}>${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

function moneyIn(currency: string): (cents: number) => string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return (cents) => format.format(cents / 100);
}
