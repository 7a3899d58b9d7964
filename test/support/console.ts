/** Browsers without scripts that use the console. */
import type { Database } from '../../server/db/database.ts';
import { systemClock } from '../../server/base/time.ts';
import type { Role } from '../../server/console/users/roles.ts';
import type { User, UserScope } from '../../server/console/users/store.ts';
import { inviteUser } from '../../server/console/users/users.ts';
import { testOperator } from './checkout.ts';
import { fixedFields, Page } from './page.ts';
import { type ApiResponse, fetchResponse } from './service.ts';

/** A service with the console. */
interface Served {
  publicUrl: string;
  database: Database;
}

/** A browser with its cookies. */
export class ConsoleBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns the value of a cookie; empty if it is not set. */
  cookie(name: string): string {
    return this.#cookies.get(name) ?? '';
  }

  /** The header that identifies the browser. */
  get cookieHeader(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Sends a request without following redirects. */
  async request(path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const url = new URL(path, this.#origin).href;
    const headers = new Headers(init.headers);
    headers.set('cookie', this.cookieHeader);
    const response = await fetchResponse(url, { ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** Submits a form that downloads a file. The text has its byte order mark, which other requests remove. */
  async download({ action, fields }: Page['forms'][number]): Promise<{ status: number; headers: Headers; text: string }> {
    const body = new URLSearchParams(fields.map(({ name, value }) => [name, value]));
    const response = await fetch(action, { method: 'POST', body, headers: { cookie: this.cookieHeader } });
    const text = Buffer.from(await response.arrayBuffer()).toString();
    return { status: response.status, headers: response.headers, text };
  }

  /** Opens a page, following redirects. */
  async open(path: string, init: RequestInit = {}): Promise<Page> {
    const response = await this.request(path, init);
    const location = response.headers.get('location');
    return location === null ? new Page(new URL(path, this.#origin).href, response) : this.open(location);
  }

  /** Submits a form of a page, following redirects. @param action - The end of its address. */
  async submit(page: Page, action: string, values: Record<string, string> = {}): Promise<Page> {
    const form = filledForm(page, action);
    return this.open(form.action, post({ ...form.fields, ...values }));
  }
}

/** Returns a form of a page. @param action - The end of its address. */
function formOf(page: Page, action: string): Page['forms'][number] {
  const found = page.forms.find(({ method, action: address }) => method === 'POST' && new URL(address).pathname.endsWith(action));
  if (found) return found;
  throw new Error(`Expected a form for ${action} on ${page.url}, but found ${page.forms.map((each) => each.action).join(', ')}`);
}

/** Returns the address of a form of a page, and its fields with the values that it shows. @param action - The end of its address. */
export function filledForm(page: Page, action: string): { action: string; fields: Record<string, string> } {
  const form = formOf(page, action);
  return { action: form.action, fields: typedFields(form) };
}

/** Deletes the stored response to a form, as if the service had crashed after the commit and before it responded. */
export async function loseResponse(database: Database, { formToken }: Record<string, string>): Promise<void> {
  const key = `console-form ${formToken!.slice(0, 22)}`;
  await database.write(async (tx) => {
    await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
    await tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).where('key', '=', key).execute();
  });
}

/** Returns the values with which a form is shown. */
function typedFields(form: Page['forms'][number]): Record<string, string> {
  const typed = form.fields.filter(({ isSubmitted }) => isSubmitted).map(({ name, value }) => [name, value]);
  return { ...Object.fromEntries(typed), ...fixedFields(form) };
}

/** Returns a request that posts a form. */
export function post(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), headers };
}

export interface Visitor {
  user: User;
  browser: ConsoleBrowser;
}

let people = 0;

/** Invites a person, who accepts the invitation in a new browser. */
export async function signIn(
  { publicUrl, database }: Served,
  { tenantId, merchantId }: UserScope,
  role: Role = 'admin',
): Promise<Visitor> {
  const email = `person-${++people}@acme.example`;
  const invited = { tenantId, merchantId, role, email, name: 'Ada Lovelace' };
  const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
  const { user, path } = await inviteUser(database, invited, undefined, mail, systemClock.now());
  const browser = new ConsoleBrowser(publicUrl);
  await browser.submit(await browser.open(path), path);
  return { user, browser };
}
