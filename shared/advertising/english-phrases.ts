import type { Phrases } from './phrases.ts';

const PER = String.raw`(?: ?\/ ?| per | an? | each | every )(?:months?|mos?\b|mths?\b|weeks?|wks?\b|fortnight|two weeks|N\d+ (?:weeks|months)|quarter|years?|yrs?\b)`;
const IS = String.raw`(?: amount| total| required)?(?: of| is| are| was| being| at| will be| would be| may be| might be| could be|:)?(?: only| just| as low as| as little as)? ?`;
/** Not behind a word that says there is none. */
const NONE = String.raw`(?<!\b(?:no|zero|without|any) )`;
/** A charge that is a fee: what a finance charge and one for being late are is said elsewhere, and to charge is no noun. */
const CHARGE = String.raw`(?<!\b(?:finance|financing|interest|late|returned|missed|free of|no|we|they|you|will|to|not|never) )charges?`;
/** A word that is neither such a one nor joins another thing. */
const PLAIN = String.raw`(?!(?:no|zero|nothing|without|plus|and|or|with|per|an?|each|every)\b)[a-z-]{1,20}`;
/** What else lasts so long. */
const OTHER = String.raw`(?![ -](?:limited )?(?:warranty|guarantee|trial|membership|subscription|return|old|of experience|in business))`;
const WORDS = String.raw`(?: [a-z'-]{1,20})`;

/** What an English advertisement calls its figures. @see `Phrases` */
export const english: Phrases = [
  [
    'firstPeriod',
    String.raw`first${WORDS}{0,2} (?:payment|instal?lment)(?: is| will be| falls)? due (?:in )?{months} months?(?: and {days} days?)?\b`,
    String.raw`first${WORDS}{0,2} (?:payment|instal?lment)(?: is| will be| falls)? due (?:in )?{days} days?\b`,
  ],
  [
    'deferral',
    String.raw`\b(?:no(?: monthly)? (?:payments?|instal?lments?)(?: due)?|(?:pay|owe) nothing) (?:for|in|during|until|till)(?: the| your)?(?: first)?(?: (?:{months}[ -]?months?|{days}[ -]?days?|{years}[ -]?years?|N\d+[ -]?weeks?))?\b`,
  ],
  [
    'contingent',
    String.raw`(?:late|returned|return|missed|nsf|overdraft|dishonou?red|cancellation|convenience)(?: payments?| checks?)? (?:fees?|charges?)(?: of| is| are|:| up to){0,2} ?{part}`,
    String.raw`{part} (?:late|returned|return|missed|nsf|overdraft|dishonou?red|cancellation|convenience)\b`,
    String.raw`{part} (?:off|discount|rebate|cash ?back|savings?|gift card|credit toward)\b`,
    String.raw`\b(?:save|saving|savings of|discount of|rebate of)(?: up to)? {part}`,
  ],
  [
    'bound',
    String.raw`\b(?:from|between) {money}(?: and up)? (?:to|through|and|up to) M\d+(?!${PER})`,
    String.raw`{money} ?(?:-|to|through) ?M\d+(?!${PER})`,
    String.raw`\b(?:minimum|maximum|min\.?|max\.?|least|most)(?: (?:purchase|order|loan|cart|amount|of|is|required|financed)){0,4}:? {money}(?!${PER})`,
    String.raw`\b(?:up to|over|above|under|below|at least|at most|more than|less than|exceeding) {money}(?!${PER})`,
    String.raw`{money}(?: ?\+| or more| or above| or less| and up| and above| minimum| maximum)`,
    String.raw`N\d+(?:(?: ?[-,\/] ?| to | or | and |, or |, and )N\d+){0,8}(?: ?[-,\/] ?| to | or | and |, or |, and ){months}[ -]?(?:months?|mos?\b|years?)`,
    String.raw`\b(?:up to|as many as|as long as|maximum of) {months}[ -]?(?:months?|mos?\b|years?)`,
  ],
  [
    'fee',
    String.raw`${NONE}\b(?:[a-z-]{1,20} )?fees?${IS}{part}`,
    String.raw`{part}(?: ${PLAIN}){0,2} fees?\b`,
    String.raw`${NONE}\b(?:[a-z-]{1,20} )?${CHARGE}(?: amount| total)?(?:(?: of| is| will be| may be| at|:)(?: only| just)?|(?= ?[MP])) ?{part}`,
    String.raw`{part}(?: ${PLAIN}){0,2} ${CHARGE}\b(?! (?:cards?|accounts?)\b)`,
  ],
  [
    'downPayment',
    String.raw`${NONE}\bdown ?payments?${IS}{part}`,
    String.raw`{part}(?: ${PLAIN}){0,2} down\b`,
    String.raw`\bdeposits?${IS}{part}`,
    String.raw`{part} deposit\b`,
    String.raw`{money}(?: is)?(?: due| paid| payable)? (?:today|now|at checkout|at signing|up ?front)\b`,
    String.raw`\b(?:due|pay) (?:today|now|at checkout|at signing|up ?front):? {money}`,
  ],
  ['financeCharge', String.raw`\bfinance charges?${IS}{money}`, String.raw`{money}(?: total)? finance charge`],
  [
    'interest',
    String.raw`${NONE}\binterest(?: charges?| costs?| paid)?${IS}{money}`,
    String.raw`{money} (?:in |of )?(?:total )?interest\b(?!-free| free)`,
  ],
  ['price', String.raw`\btotal (?:sale |sales |purchase )?(?:price|cost)${WORDS}{0,4}${IS}{money}`],
  [
    'sum',
    String.raw`(?<!\b(?:order|cart|purchase) )\btotal(?! (?:purchase|order|cart))(?:s|ing|ling|ed)?${WORDS}{0,4}?${IS}{money}`,
    String.raw`{money} (?:in )?total\b(?! (?:purchase|order))`,
    String.raw`{money} (?:in all|altogether|all told|total of payments)\b`,
  ],
  [
    'first',
    String.raw`\b(?:{count} )?first${WORDS}{0,1} (?:payment|instal?lment)${IS}{money}`,
    String.raw`{money} first (?:payment|instal?lment)`,
  ],
  [
    'last',
    String.raw`\b(?:{count} )?(?:last|final|balloon)${WORDS}{0,1} (?:payment|instal?lment)${IS}{money}`,
    String.raw`{money} (?:last|final|balloon) (?:payment|instal?lment)`,
    String.raw`{money} in month {months}`,
    String.raw`\b(?:last|final)(?: one)? of {money}`,
  ],
  [
    'payment',
    String.raw`{count} ?(?:[a-z-]{1,20} ){0,4}?(?:payments?|instal?lments?)(?:,? each)?(?: of| at| for|:)?(?: only| just)? ?[(@]? ?{amount}`,
    String.raw`{count} ?[x*@] ?{amount}`,
    String.raw`{amount} ?[x*] ?{count}`,
    String.raw`{months}[ -]months? (?:of|at|@) {money}`,
    String.raw`{money}${PER}`,
    String.raw`{money} (?:monthly|weekly|bi-?weekly|semi-?monthly|quarterly)\b`,
    String.raw`{money}(?=,? for N\d+[ -]?(?:months?|mos?\b))`,
    String.raw`{money}(?= per M\d+ (?:borrowed|financed|of))`,
    String.raw`{money} each\b`,
    String.raw`\b(?:payments?|instal?lments?)(?: obligation)?${IS}{money}`,
  ],
  ['amountFinanced', String.raw`\bamount financed${IS}{money}`, String.raw`{money}(?: is)?(?: the)? amount financed`],
  [
    'purchase',
    String.raw`{money}(?: [a-z-]{1,20}){0,3} (?:purchases?|orders?|sale|cart|products?|items?)\b`,
    String.raw`\b(?:purchases?|orders?|cart|item|product)(?: price| total)?${IS}{money}`,
    String.raw`\bpriced?${IS}{money}`,
    String.raw`\b(?:msrp|costs?|costing|worth|spend|buy(?:ing)? for)${IS}{money}`,
  ],
  [
    'loan',
    String.raw`{money}(?: [a-z-]{1,20}){0,2} loans?\b`,
    String.raw`\b(?:loan|principal|balance)(?: principal| in the amount)?${IS}{money}`,
    String.raw`\b(?:borrow|borrows|borrowed|borrowing|finance|finances|financed|financing|lend) {money}`,
    String.raw`{money} (?:borrowed|financed|lent|of credit)\b`,
    String.raw`\b(?:per|for each|for every) {money}`,
  ],
  ['term', String.raw`{months}[ -]?(?:months?|mos?|mths?)\b${OTHER}`, String.raw`{years}[ -]?(?:years?|yrs?)\b${OTHER}`],
  ['count', String.raw`{count} ?(?:[a-z-]{1,20} ){0,4}?(?:payments|instal?lments)\b`],
];
