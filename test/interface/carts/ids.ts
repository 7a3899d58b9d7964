/** Ids that name no cart of anybody's. */
export const unknownCarts = ['unknown', '00000000-0000-7000-8000-000000000000', "'; drop table carts; --", 'A'.repeat(2_000)];

/** A lower-case UUID of version 7: they sort by when they were made. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
