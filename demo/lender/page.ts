import { readFileSync } from 'node:fs';
import { html, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { TemplateResult } from 'lit';
import { type Application, type Book, type Event, eventsOf, type Loan, type Payment, scheduleOf } from './book.ts';

export const styles = readFileSync(new URL('lender.css', import.meta.url), 'utf8');

/** Renders the lender's book: loans with their schedules and events, and applications, the latest first. It has no data about buyers. */
export function loansPage(book: Book): string {
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
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <header><p class="brand">Reference lender</p></header>
        <main>
          <h1>Loans</h1>
          <p class="lead">What this lender decided, booked, and received from Fairterm. It is in memory until npm start ends. Reload the page for news.</p>
          ${loans.length === 0 ? html`<p class="empty">No loans yet. Sign a payment agreement in the demo shop.</p>` : loans.map((loan) => loanSection(loan, eventsOf(book, loan)))}
          <h2>Applications</h2>
          ${applications.length === 0 ? html`<p class="empty">No applications yet.</p>` : applicationsTable(applications)}
        </main>
        <footer><p>A demonstration: no loan is made. Buyers' names and addresses are not shown.</p></footer>
      </body>
    </html>
  `;
  return collectResultSync(render(page));
}

function loanSection(loan: Loan, events: readonly Event[]): TemplateResult {
  const { number, merchant, agreement, currency } = loan;
  const { disclosure, order } = agreement;
  const money = moneyIn(currency);
  const schedule = scheduleOf(loan, events);
  const status = events.findLast((event) => event.status !== undefined)?.status ?? 'SIGNED';
  const isRecast = schedule !== disclosure.payments && schedule.length > 0;
  return html`
    <section class="loan" aria-labelledby=${number}>
      <h2 id=${number}>${number}</h2>
      <p class="status">${status}</p>
      <dl>
        ${fact('Merchant', merchant)} ${fact('Order', order.reference || 'none')}
        ${fact('Principal', money(disclosure.principalCents))} ${fact('Rate', `${(disclosure.noteRateBps / 100).toFixed(2)} %`)}
        ${fact('Still owed without interest', money(schedule.reduce((sum, payment) => sum + payment.principalCents, 0)))}
      </dl>
      <div class="tables">
        <div>
          <h3>Events</h3>
          ${events.length === 0 ? html`<p class="empty">None yet. The shop authorizes and settles the order.</p>` : eventsTable(number, events, money)}
        </div>
        <div>
          <h3>Schedule${isRecast ? ', recast' : ''}</h3>
          ${schedule.length === 0 ? html`<p class="empty">No payments: there is no loan.</p>` : scheduleTable(number, schedule, money)}
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

function scheduleTable(number: string, schedule: readonly Payment[], money: (cents: number) => string): TemplateResult {
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
  const rows = applications.map(({ receivedAt, request, decision: { outcome, tierId = '', limitCents } }) => {
    const money = moneyIn('USD');
    return html`
      <tr>
        <th scope="row">${timeOf(receivedAt)}</th>
        <td>${request.merchant.name}</td>
        <td class="number">${money(request.amountCents)}</td>
        <td>${outcome}${tierId && `, tier ${tierId}`}${limitCents ? `, up to ${money(limitCents)}` : ''}</td>
      </tr>
    `;
  });
  return table('Applications', ['Received (UTC)', 'Merchant', 'Amount', 'Decision'], ['Amount'], rows);
}

/** Renders a table that scrolls on its own, and that the keyboard reaches, where it is wider than the page. */
function table(
  label: string,
  headings: readonly string[],
  numbers: readonly string[],
  rows: readonly TemplateResult[],
): TemplateResult {
  return html`
    <div class="scroll" role="region" aria-label=${label} tabindex="0">
      <table>
        <thead>
          <tr>
            ${headings.map((heading) => html`<th scope="col" class=${numbers.includes(heading) ? 'number' : ''}>${heading}</th>`)}
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
