import { type Kysely, sql } from 'kysely';

/**
 * Adds what a checkout records about the buyer's return from a page of another service and to the shop, and the number of requests to the
 * lender in a cart.
 *
 * Completed purchases count as returned, so that their pages do not redirect to the shop later. The requests of earlier applications were
 * not counted: each one with a request, or with stored details, counts as one.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table applications add column returned_at text',
  `alter table applications add column card_return_hash text not null default '' check (length(card_return_hash) in (0, 64))`,
  `update applications set returned_at = updated_at where status = 'CHECKOUT_COMPLETED'`,
  'alter table carts add column submissions integer not null default 0',
  `update carts set submissions = (
     select count(*) from applications
     where applications.cart_id = carts.id and (request_id is not null or details_deleted_at is null))`,
];
