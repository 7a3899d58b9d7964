/** The communications to a buyer that the creditor must be able to produce. An e-mail with an approval can also disclose the score. */
export const NOTICE_KINDS = ['denial', 'counteroffer', 'incompleteness', 'approval', 'score-disclosure', 'agreement'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
