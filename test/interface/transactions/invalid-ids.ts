/** Body of the response to an id that no transaction of the merchant has. Clients compare it as a whole. */
export const invalidId = { description: 'Transaction ID was invalid', error: true, type: 'INTERNAL_ERROR' };

export const unknownIds = ['unknown', '00000000-0000-7000-8000-000000000000', '%00', "' or 1=1 --", 'A'.repeat(2_000)];
