/** What a transaction id that names none of the merchant's is answered with, whole: clients compare it so. */
export const invalidId = { description: 'Transaction ID was invalid', error: true, type: 'INTERNAL_ERROR' };

export const unknownIds = ['unknown', '00000000-0000-7000-8000-000000000000', '%00', "' or 1=1 --", 'A'.repeat(2_000)];
