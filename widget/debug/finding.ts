/** Something about a page that its engineer should know. For people: `says` names what is, and what to do. */
export interface Finding {
  code:
    | 'api-key'
    | 'amount'
    | 'checkout'
    | 'reservation'
    | 'script-twice'
    | 'service-unreachable'
    | 'not-let-in'
    | 'programs'
    | 'policy'
    | 'visible-price'
    | 'unavailable'
    | 'popup-policy';
  says: string;
}
