import type { Instant } from '../time.ts';
import type { Mode } from '../mode.ts';

/** How somebody is told something: `card` is what a card gateway is told to do. */
export type Channel = 'callback' | 'email' | 'text' | 'card';

/** A promise to tell somebody something, written with its cause and kept afterwards. */
export interface OutboxTable {
  /** Also the `webhook-id` of a callback, and part of the Message-ID of an e-mail. */
  id: string;
  merchant_id: string;
  channel: Channel;
  /** Where it goes: a web address, `mailto:` with an e-mail address, `tel:` with a phone number, or `card:` with a transaction's id. */
  url: string;
  /** Who is asked to take it, the origin of `url` for a callback: notifications to one endpoint wait for each other. */
  endpoint: string;
  /** What a callback posts; for an e-mail or a text, what it says as JSON; for a card, what is to be done. */
  body: string;
  /** All attempts so far, and how many of them were made before it was last replayed. */
  attempts: number;
  replayed_after: number;
  /** When the first attempt was made since it was promised, or last replayed. */
  began_at: Instant | null;
  /**
   * When it is due, or, while an attempt is under way, when another process may take it over. Null once it is over, and for what
   * the sandbox only records.
   */
  due_at: Instant | null;
  delivered_at: Instant | null;
  /** How the last attempt failed, in our words; empty before and after success. */
  last_failure: string;
  created_at: Instant;
}

/** A request that came with an idempotency key. */
export interface IdempotencyKeyTable {
  merchant_id: string;
  key: string;
  /** SHA-256 of method, path and body, hexadecimal: the same key is for the same request only. */
  fingerprint: string;
  /** Who answers it: an id of that one run, so that another that took over is noticed. */
  holder: string;
  /** Until when, by the machine's clock, nobody else may take over; empty once nobody is at it. */
  leased_until: Instant;
  /** When it is forgotten, with what was answered. */
  expires_at: Instant;
}

/** What was answered to a request with a key. */
export interface IdempotencyAnswerTable {
  merchant_id: string;
  key: string;
  status: number;
  /** `{"content-type":"application/json; charset=utf-8"}` */
  headers_json: string;
  body: string;
}

/** What a write came to that was committed for a request with a key; kept while there is no answer. */
export interface IdempotencyWriteTable {
  merchant_id: string;
  key: string;
  /** 0 for the first write of the request. */
  ordinal: number;
  /** Null when it came to nothing. */
  result_json: string | null;
}

/** One row: what the database is for. */
export interface EnvironmentTable {
  id: 1;
  mode: Mode;
  /** Where the service that was started last is reached; null before the first start. */
  public_url: string | null;
}

/** One attempt to deliver something. What a receiver said, and whom it was for, is never in it. */
export interface DeliveryAttemptTable {
  delivery_id: string;
  /** 1 for the first. */
  number: number;
  started_at: Instant;
  /** Null while it is under way, and for good when the process ended before it did. */
  duration_ms: number | null;
  /** What the receiver answered; null when nothing came. */
  status_code: number | null;
  /** In our words; empty when it was taken, or has not ended. */
  failure: string;
}

/** What the callbacks of a merchant are signed with. A merchant has one, and two while the first is being replaced. */
export interface CallbackSecretTable {
  id: string;
  merchant_id: string;
  /** `whsec_` and 32 random bytes in base64; empty once it is retired. */
  secret: string;
  created_at: Instant;
  retired_at: Instant | null;
}

/** One row: what the forms of the checkout are sealed with. */
export interface FormKeyTable {
  id: 1;
  /** 32 random bytes in base64url. */
  key: string;
}

/** A file of a release of the widget, kept for the pages that pinned it. */
export interface WidgetFileTable {
  /** The package's, and a hash of all files of the release: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  /** As in its address: `texts/fr.json`. */
  name: string;
  content: string;
  /** As browsers want it: `sha384-` and the hash in base64. */
  integrity: string;
  bytes: number;
  released_at: Instant;
}

/** A key that tokens of the platform API are signed with. The newest that is not retired signs; the others are still believed. */
export interface SigningKeyTable {
  kid: string;
  algorithm: 'ES256';
  public_jwk_json: string;
  /** Empty once it is retired. */
  private_jwk_json: string;
  created_at: Instant;
  retired_at: Instant | null;
}
