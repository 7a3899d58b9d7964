/** Ids that no cart has. */
export const unknownCarts = ['unknown', '00000000-0000-7000-8000-000000000000', "'; drop table carts; --", 'A'.repeat(2_000)];

/** Matches a lower-case UUID of version 7, which sorts by creation time. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
