import { readFileSync } from 'node:fs';
import { html, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Middleware } from 'koa';
import type { TemplateResult } from 'lit';
import type { Application, Book } from './lender.ts';
import { bookedLoan, type Event, type Loan, type Payment, scheduleOf } from './loan.ts';

const styles = readFileSync(new URL('lender.css', import.meta.url), 'utf8');
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Seconds after which a browser loads a page again, so that a loan is followed while its order changes in the console. */
const REFRESH_SECONDS = 10;

/** Loans and applications on a page. */
const PAGE_SIZE = 50;

/** Responds to browsers on this machine with the list of the loans, the page of each loan, and their style sheet. */
export function showPage(book: Book): Middleware {
  return async (ctx, next) => {
    const number = /^\/loans\/(RL-\d+)$/.exec(ctx.path)?.[1];
    const isStyles = ctx.path === '/lender.css';
    if (ctx.method !== 'GET' || (ctx.path !== '/' && number === undefined && !isStyles)) {
      await next();
      return;
    }
    // Another site cannot read the page by a host name of its own that resolves to this machine.
    if (!['localhost', '127.0.0.1', '[::1]'].includes(ctx.hostname)) ctx.throw(403);
    const loans = [...book.loans.values()].toReversed();
    const loan = loans.find((each) => each.number === number);
    if (number !== undefined && !loan) ctx.throw(404);
    ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
    ctx.type = isStyles ? 'css' : 'html';
    if (isStyles) {
      ctx.body = styles;
      return;
    }
    ctx.set('refresh', String(REFRESH_SECONDS));
    const { before } = ctx.query;
    const listed = typeof before === 'string' ? loans.filter((each) => each.number < before) : loans;
    ctx.body = loan ? loanPage(loan) : listPage(listed, [...book.applications.values()].toReversed());
  };
}

function page(title: string, content: TemplateResult): string {
  const whole = html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Reference lender</title>
        <link rel="stylesheet" href="/lender.css" />
      </head>
      <body>
        <header><p class="brand">Reference lender</p></header>
        <main>${content}</main>
        <footer>
          <p>
            A demonstration: no loan is made. Buyers' names and addresses are not shown. This page loads itself again every
            ${REFRESH_SECONDS} seconds.
          </p>
        </footer>
      </body>
    </html>
  `;
  return collectResultSync(render(whole));
}

/** Renders the loans and the applications, the latest first. It has no data about buyers. */
function listPage(loans: readonly Loan[], applications: readonly Application[]): string {
  const last = loans[PAGE_SIZE - 1];
  return page(
    'Loans',
    html`
      <h1>Loans</h1>
      <p class="lead">What this lender decided, booked, and received from Fairterm.</p>
      ${loans.length === 0 ? html`<p class="empty">No loans yet. Sign a payment agreement in the demo shop.</p>` : loansTable(loans.slice(0, PAGE_SIZE))}
      ${last && loans.length > PAGE_SIZE ? html`<p><a href="/?before=${last.number}">Earlier loans</a></p>` : ''}
      <h2>Latest applications</h2>
      ${applications.length === 0 ? html`<p class="empty">No applications yet.</p>` : applicationsTable(applications.slice(0, PAGE_SIZE))}
    `,
  );
}

function loansTable(loans: readonly Loan[]): TemplateResult {
  const rows = loans.map((loan) => {
    const { number, agreement } = loan;
    const { disclosure, merchant, order } = agreement;
    return html`
      <tr>
        <th scope="row"><a href="/loans/${number}">${number}</a></th>
        <td><span class="status">${statusOf(loan)}</span></td>
        <td>${merchant.name}</td>
        <td>${order.reference}</td>
        <td><time>${disclosure.date}</time></td>
        <td class="number">${moneyIn(disclosure.currency)(bookedLoan(loan).financedCents)}</td>
      </tr>
    `;
  });
  return table('Loans', ['Loan', 'Status', 'Merchant', 'Order', 'Signed', 'Still financed'], ['Still financed'], rows);
}

/** Returns the status of the purchase, which the latest event of the loan has. */
function statusOf({ events }: Loan): string {
  return events.findLast((event) => event.status !== undefined)?.status ?? 'SIGNED';
}

/** Renders a loan with the curve of its balance, its schedule and its events. */
function loanPage(loan: Loan): string {
  const { number, agreement, events } = loan;
  const { disclosure, merchant, order } = agreement;
  const money = moneyIn(disclosure.currency);
  const schedule = scheduleOf(loan);
  const isRecast = schedule !== undefined && schedule !== disclosure.payments && schedule.length > 0;
  return page(
    number,
    html`
      <p><a href="/">All loans</a></p>
      <h1>${number} <span class="status">${statusOf(loan)}</span></h1>
      <dl>
        ${fact('Merchant', merchant.name)} ${fact('Order', order.reference || 'none')} ${fact('Signed', disclosure.date)}
        ${fact('Principal', money(disclosure.principalCents))} ${fact('Rate', `${(disclosure.noteRateBps / 100).toFixed(2)} %`)}
        ${fact('Still financed', money(bookedLoan(loan).financedCents))}
      </dl>
      ${schedule && schedule.length > 0 ? balanceCurve(schedule, money) : ''}
      <div class="tables">
        <section>
          <h2>Events</h2>
          ${events.length === 0 ? html`<p class="empty">None yet. The shop authorizes and settles the order.</p>` : eventsTable(number, events, money)}
        </section>
        <section>
          <h2>Schedule${isRecast ? ', recast' : ''}</h2>
          ${scheduleContent(number, schedule, money)}
        </section>
      </div>
    `,
  );
}

/** Renders the balance after each payment as a line. Its values are in the table of the schedule. */
function balanceCurve(schedule: readonly Payment[], money: (cents: number) => string): TemplateResult {
  const [first, last] = [schedule[0]!, schedule.at(-1)!];
  const startCents = first.balanceCents + first.paymentCents - first.interestCents;
  const balances = [startCents, ...schedule.map(({ balanceCents }) => balanceCents)];
  const highest = Math.max(1, ...balances);
  // Percent of the width and the height, from the top.
  const points = balances.map((cents, index) => [(index * 100) / schedule.length, 100 - (cents * 100) / highest]);
  const path = `M${points.map(([x, y]) => `${x!.toFixed(1)} ${y!.toFixed(1)}`).join('L')}`;
  const summary = `The balance falls from ${money(startCents)} to ${money(last.balanceCents)} with ${schedule.length} payments, from ${first.dueOn} to ${last.dueOn}.`;
  return html`
    <figure class="curve">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path d="${path}" vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption>${summary}</figcaption>
    </figure>
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
  return html`<time datetime=${iso}>${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

function moneyIn(currency: string): (cents: number) => string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return (cents) => format.format(cents / 100);
}
