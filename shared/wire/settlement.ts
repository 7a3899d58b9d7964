import { array, enums, type Infer, integer, object, string } from 'superstruct';
import { integerInQuery } from './query.ts';
import { CalendarDate, Timestamp, Uuid } from './fields.ts';
import { defaulted, nullable, optional, pattern } from './structs.ts';

/**
 * `settled-by-card` and `refunded-to-card` are the card portion of a purchase, which the card gateway pays.
 *
 * @see server/docs/settlements.md.
 */
export const SettlementLineType = enums(['settled', 'settled-by-card', 'refunded', 'refunded-to-card']);
export type SettlementLineType = Infer<typeof SettlementLineType>;

/** The transaction, the row of its journal, and the type of the line. */
const LINE_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9][0-9]{0,8})\.([a-z-]{1,20})$/;

/** Id of a line, such as `019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11.3.settled`. */
const LineId = pattern(string(), LINE_ID);

/** Returns the parts of the id of a line; undefined if it is not one. */
export function parseLineId(id: string): { transactionId: string; sequence: number; type: SettlementLineType } | undefined {
  const [, transactionId = '', sequence = '', type] = LINE_ID.exec(id) ?? [];
  return SettlementLineType.is(type) ? { transactionId, sequence: Number(sequence), type } : undefined;
}

/** The part of a payout that a settlement or a refund of a transaction adds. Amounts are in cents, negative for a refund. */
export const SettlementLine = object({
  id: LineId,
  type: SettlementLineType,
  transactionId: string(),
  orderRef: string(),
  merchantOrderId: string(),
  gross: integer(),
  fee: integer(),
  net: integer(),
  /** The card gateway's reference of the card portion; empty on lines of the loan. */
  cardReference: string(),
  /** In the time zone of the program. */
  day: CalendarDate,
  at: Timestamp,
});
export type SettlementLine = Infer<typeof SettlementLine>;

const settlementFields = {
  id: Uuid,
  day: CalendarDate,
  currency: string(),
  lineCount: integer(),
  gross: integer(),
  fee: integer(),
  net: integer(),
  /** The negative balance that the settlement before has left. */
  carried: integer(),
  payout: integer(),
  /** The negative balance that is left to the next settlement. */
  balance: integer(),
  /** The lender's bank transfer; null until the operator has imported the lender's payout file. */
  bankReference: nullable(string()),
  paidOn: nullable(CalendarDate),
  createdAt: Timestamp,
};

/** The payout to a merchant for the purchases of a day in one currency. Amounts are in cents. */
export const Settlement = object(settlementFields);
export type Settlement = Infer<typeof Settlement>;

/** A settlement with a page of its lines. */
export const SettlementWithLines = object({ ...settlementFields, lines: array(SettlementLine) });
export type SettlementWithLines = Infer<typeof SettlementWithLines>;

/** Response of `GET /settlements` and `POST /sandbox/settlements`. */
export const SettlementList = object({ settlements: array(Settlement) });
export type SettlementsResponse = Infer<typeof SettlementList>;

/** Query of `GET /settlements`. */
export const SettlementQuery = object({
  'day[gte]': optional(CalendarDate),
  'day[lt]': optional(CalendarDate),
  limit: defaulted(integerInQuery(1, 200), 50),
  after: optional(Uuid),
});
export type SettlementQuery = Infer<typeof SettlementQuery>;

/** Query of `GET /settlements/ID`. */
export const SettlementLinesQuery = object({
  limit: defaulted(integerInQuery(1, 1_000), 200),
  after: optional(LineId),
});
