import {
  type Settlement,
  type SettlementLine,
  SettlementList,
  type SettlementQuery,
  type SettlementsResponse,
  SettlementWithLines,
} from '../wire/settlement.ts';
import type { ReadOptions } from './options.ts';
import { itemsOf, type List } from './pages.ts';
import { queryOf, type Send } from './send.ts';

/** Days are those of the financing program's time zone. */
export interface SettlementFilters {
  /** First day: `2026-03-01`. */
  readonly 'day[gte]'?: NonNullable<SettlementQuery['day[gte]']>;
  /** The day after the last one. */
  readonly 'day[lt]'?: NonNullable<SettlementQuery['day[lt]']>;
}

export interface SettlementPageOptions extends ReadOptions {
  /** Page size: 1 to 200 settlements, or 1 to 1,000 lines. */
  limit?: number | undefined;
  /** The `next` of the previous page. */
  after?: string | undefined;
}

export interface SettlementPage {
  settlements: Settlement[];
  /** Pass it as `after` to get the next page, which may be empty. Undefined on the last page. */
  next: string | undefined;
}

export interface SettlementLinesPage {
  settlement: SettlementWithLines;
  /** Pass it as `after` to get the next lines. Undefined if these are the last ones. */
  next: string | undefined;
}

const PAGE_SIZE = 200;
const LINES_PAGE_SIZE = 1_000;

const settlementList: List<SettlementsResponse, Settlement> = {
  name: 'settlements.list',
  path: ['settlements'],
  response: SettlementList,
  itemsIn: ({ settlements }) => settlements,
  idOf: ({ id }) => id,
};

/** Settlements: the payouts of the lender to the merchant. @see server/docs/settlements.md. */
export class Settlements {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Returns a page of settlements, the newest first. */
  async list(filters: SettlementFilters = {}, options: SettlementPageOptions = {}): Promise<SettlementPage> {
    const { limit = 50, after, signal } = options;
    const query = queryOf({ ...filters, limit, ...(after !== undefined && { after }) });
    const { name, path } = settlementList;
    const operation = { name, method: 'GET', path, query, response: SettlementList } as const;
    const { settlements } = await this.#send(operation, { signal });
    return { settlements, next: settlements.length < limit ? undefined : settlements.at(-1)?.id };
  }

  /** Iterates over all settlements, the newest first. Fetches each page when it is needed. */
  all(filters: SettlementFilters = {}, { signal }: ReadOptions = {}): AsyncGenerator<Settlement, void, undefined> {
    return itemsOf(this.#send, settlementList, { ...filters }, { pageSize: PAGE_SIZE, signal });
  }

  /** Returns a settlement with a page of its lines. @throws FairtermError `settlement-not-found` */
  async retrieve(settlementId: string, options: SettlementPageOptions = {}): Promise<SettlementLinesPage> {
    const { limit = PAGE_SIZE, after, signal } = options;
    const path = ['settlements', settlementId];
    const query = queryOf({ limit, ...(after !== undefined && { after }) });
    const operation = { name: 'settlements.retrieve', method: 'GET', path, query, response: SettlementWithLines } as const;
    const settlement = await this.#send(operation, { signal });
    return { settlement, next: settlement.lines.length < limit ? undefined : settlement.lines.at(-1)?.id };
  }

  /**
   * Iterates over all lines of a settlement.
   *
   * @throws FairtermError `settlement-not-found`
   *
   * @example
   * for await (const { merchantOrderId, net } of fairterm.settlements.lines(settlement.id)) book(merchantOrderId, net);
   */
  lines(settlementId: string, { signal }: ReadOptions = {}): AsyncGenerator<SettlementLine, void, undefined> {
    const list: List<SettlementWithLines, SettlementLine> = {
      name: 'settlements.retrieve',
      path: ['settlements', settlementId],
      response: SettlementWithLines,
      itemsIn: ({ lines }) => lines,
      idOf: ({ id }) => id,
    };
    return itemsOf(this.#send, list, {}, { pageSize: LINES_PAGE_SIZE, signal });
  }
}
