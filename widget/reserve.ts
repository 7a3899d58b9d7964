/**
 * The disclosure with numbers as wide as they come: set invisibly behind the real one, it keeps the height the same
 * before, during and after loading, at every width.
 *
 * It is that of a program without fees, down payment, promotions or states of its own: what such a program says beside makes the
 * text longer than its reserve. Lines are filled greedily, so a sentence of the same words, none of them wider, never needs more lines than this one.
 * The same sentence stands in `reserve.css`, for the time before this script arrives. Both are written out because the texts
 * come with the merchant's programs, later than this.
 */
export const reserveText =
  'Example: a $88,888.88 purchase over 120 months at 28.88% APR, fixed, takes 119 monthly payments of $88,888.88 and a last payment of $88,888.87, $888,888.80 in total. Rates run from 28.88% APR to 28.88% APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $88,888.88 to $88,888.88. Loans are made by Loans are made by Loans are made by Loans.';
