import type { Readable } from 'node:stream';
import type { EmailOptions } from '../../checkout/session/deps.ts';
import type { MessageLimits } from '../../base/config/config.ts';
import type { Database } from '../../db/database.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Merchant } from '../../merchants/store.ts';
import type { Mode } from '../../base/mode.ts';
import type { CallbackRules } from '../../messages/callback-address.ts';
import type { FormState } from '../../http/pages/elements.ts';
import type { FormOptions } from '../../http/pages/form.ts';
import type { FormFailure } from '../../http/pages/read-form.ts';
import type { Clock, Instant, MovableClock } from '../../base/time.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import type { PasskeySite } from '../users/passkeys.ts';
import type { Permission } from '../users/roles.ts';
import type { User } from '../users/store.ts';
import type { DoneKey } from './texts.ts';

/** The sections of the navigation. */
export const SECTIONS = ['home', 'orders', 'links', 'money', 'developers', 'settings'] as const;
export type Section = (typeof SECTIONS)[number];

/** Dependencies of the functions that screens call: those of the merchant API. */
export interface ConsoleDeps {
  database: Database;
  /** The time of carts, transactions and programs, which a sandbox may move. */
  clock: MovableClock;
  /** The time of users, keys and webhooks. */
  realClock: Clock;
  mode: Mode;
  transactions: Transactions;
  /** Options of the e-mails to buyers. */
  mail: EmailOptions;
  messageLimits: MessageLimits;
  callbacks: CallbackRules;
  passkeySite: PasskeySite;
  /** Delivers at once what was enqueued. `submit.ts` calls it after each action. */
  wakeDelivery: () => void;
}

/** A request of a signed-in user, which a screen or an action receives. */
export interface ConsoleRequest {
  deps: ConsoleDeps;
  user: User;
  /** The token of the browser, which new passkeys are bound to. */
  browserToken: string;
  /** The merchant of the address. Only one that the user sees. */
  merchant: Merchant;
  /** As the origin of a change: `user:ID`. */
  actor: `user:${string}`;
  /** The variable `:id` of the path; empty without one. */
  id: string;
  /** All variables of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The time of `deps.clock`. */
  now: Instant;
  /**
   * The values and errors of the form on this screen: empty at first; what was typed and the messages when the screen is shown again
   * because its action was rejected.
   */
  formState: FormState;
  /** Returns the address of a path of this merchant's console: `to('orders', { view: 'ship' })`. Parameters without a value are left out. */
  to(path: string, parameters?: Readonly<Record<string, string | undefined>>): string;
  /** Returns true if the role of the user permits it. */
  can(permission: Permission): boolean;
  /** Renders a form that is posted to an action of this merchant, with its token. */
  form(path: string, content: Html, options?: ScreenFormOptions): Html;
  /** Formats cents: `$1,299.00`. */
  money(cents: number): string;
  /** Of the merchant's program. Days and times are in it. */
  timeZone: string;
  /** Formats a moment in the time zone, which the page then names once, see `shortTime`: `Nov 21, 4:30 AM`. */
  time(instant: Instant): string;
}

export interface ScreenFormOptions extends FormOptions {
  /** Of the address, which the action receives in its `query`. */
  parameters?: Readonly<Record<string, string | undefined>>;
}

/** A page within the frame of the console. */
export interface ConsolePage {
  title: string;
  content: Html;
  /** Its messages are shown above the content. Default: that of the request. */
  formState?: FormState;
  /** Default: 200. */
  status?: number;
  /** True if it shows a `ConsoleDocument` in a frame. */
  hasFrame?: true;
}

/** A document of its own look, which a page shows in a frame. */
export interface ConsoleDocument {
  document: string;
  /** Its content security policy, without `frame-ancestors`: pages of the same origin may frame it. */
  policy: string;
}

/** A file to download. */
export interface ConsoleFile {
  file: { name: string; type: string; body: string | Buffer | Readable };
}

/** Another address of the console, with a confirmation that is shown there. */
export interface ConsoleRedirect {
  redirect: string;
  done?: DoneKey;
}

/** Returns a page of the console, or a document for a frame; undefined if the object in the address does not exist, or belongs to another merchant. */
export type Show = (request: ConsoleRequest) => Promise<ConsolePage | ConsoleDocument | ConsoleRedirect | undefined>;

/** The route of a page, at an address of a merchant. */
export interface Screen {
  /** Below the merchant's address: `orders/:id`; empty for the home page. */
  path: string;
  /** The label of the page among those of its section, which lead to each other; undefined for other pages, such as that of one object. */
  tab?: string;
  /** True if the page and its forms exist only in a sandbox. */
  isSandboxOnly?: boolean;
  /** The permission that the role of a user must have. */
  permission: Permission;
  /** True if the page is shown only after a recent sign-in, such as one that confirms a payment. */
  isSensitive?: boolean;
  show: Show;
  /** The forms that the page contains. It is shown again with the messages of one that is rejected. */
  actions: readonly Action[];
}

/**
 * The route of a form that changes something.
 *
 * A `ServiceError` is shown as a message above the form: throw it, or let it pass.
 *
 * A form has its effect once, however often it is submitted: all writes must use the database of the request, and the result of a write
 * must be JSON (see `once`).
 */
export interface Action {
  /** With the variables of the screen's path. */
  path: string;
  permission: Permission;
  /** True if the form needs a recent sign-in. */
  isSensitive: boolean;
  /** True if its form has a file. Others do not read `multipart/form-data`. */
  hasFile?: true;
  /**
   * Returns the next page; a page to show once, such as one with a new secret; a file, which the same form returns again; the invalid
   * fields of `readForm`, with which the screen is shown again; or undefined if the object in the address does not exist.
   *
   * @param body - Unknown input.
   */
  submit(request: ConsoleRequest, body: unknown): Promise<ActionResult>;
}

export type ActionResult = ConsoleRedirect | ConsolePage | ConsoleFile | FormFailure | undefined;

/** An action with the screen that contains its form. */
export interface ScreenAction extends Action {
  screen: Screen;
}

/** Returns the section of a screen: the first segment of its path. */
export function sectionOf({ path }: Screen): Section {
  return SECTIONS.find((name) => name === /^\w*/.exec(path)?.[0]) ?? 'home';
}
