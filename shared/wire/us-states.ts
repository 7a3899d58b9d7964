type States = Readonly<Record<string, readonly [name: string, zipRanges: string, capitalZip?: string]>>;

/** The 50 US states and DC by postal code. */
const STATES: States = {
  AL: ['Alabama', '350-352 354-369', '36104'],
  AK: ['Alaska', '995-999', '99801'],
  AZ: ['Arizona', '850-853 855-857 859-860 863-865', '85007'],
  AR: ['Arkansas', '716-729', '72201'],
  CA: ['California', '900-908 910-928 930-961', '95814'],
  CO: ['Colorado', '800-816', '80203'],
  CT: ['Connecticut', '060-06389 06391-069', '06106'],
  DE: ['Delaware', '197-199', '19901'],
  DC: ['District of Columbia', '200 202-205', '20001'],
  FL: ['Florida', '320-339 341-342 344 346-347 349', '32301'],
  GA: ['Georgia', '300-319 398-399', '30334'],
  HI: ['Hawaii', '967-968', '96813'],
  ID: ['Idaho', '832-83413 83415-838', '83702'],
  IL: ['Illinois', '600-620 622-629', '62701'],
  IN: ['Indiana', '460-479', '46204'],
  IA: ['Iowa', '500-516 520-528', '50319'],
  KS: ['Kansas', '660-662 664-679', '66603'],
  KY: ['Kentucky', '400-42222 42224-427', '40601'],
  LA: ['Louisiana', '700-701 703-708 710-714', '70802'],
  ME: ['Maine', '039-049', '04330'],
  MD: ['Maryland', '206-212 214-219', '21401'],
  MA: ['Massachusetts', '010-027', '02108'],
  MI: ['Michigan', '480-499', '48933'],
  MN: ['Minnesota', '550-551 553-567', '55101'],
  MS: ['Mississippi', '386-397', '39201'],
  MO: ['Missouri', '630-631 633-641 644-658', '65101'],
  MT: ['Montana', '590-599', '59601'],
  NE: ['Nebraska', '680-681 683-693', '68508'],
  NV: ['Nevada', '889-891 893-895 897-898', '89701'],
  NH: ['New Hampshire', '030-038', '03301'],
  NJ: ['New Jersey', '070-089', '08608'],
  NM: ['New Mexico', '870-871 873-875 877-884', '87501'],
  NY: ['New York', '100-149', '12207'],
  NC: ['North Carolina', '270-289', '27601'],
  ND: ['North Dakota', '580-588', '58501'],
  OH: ['Ohio', '430-459', '43215'],
  OK: ['Oklahoma', '730-731 734-73948 73950-741 743-749', '73102'],
  OR: ['Oregon', '970-979', '97301'],
  PA: ['Pennsylvania', '150-196', '17101'],
  RI: ['Rhode Island', '028-029', '02903'],
  SC: ['South Carolina', '290-299', '29201'],
  SD: ['South Dakota', '570-577', '57501'],
  TN: ['Tennessee', '370-385', '37219'],
  TX: ['Texas', '750-770 772-799 885', '78701'],
  UT: ['Utah', '840-847', '84103'],
  VT: ['Vermont', '050-054 056-059', '05602'],
  VA: ['Virginia', '201 220-246', '23219'],
  WA: ['Washington', '980-986 988-994', '98501'],
  WV: ['West Virginia', '247-268', '25301'],
  WI: ['Wisconsin', '530-532 534-535 537-549', '53703'],
  WY: ['Wyoming', '820-831', '82001'],
};

/** States of military addresses (APO, FPO and DPO): USPS Publication 28, Appendix B. */
const MILITARY: States = {
  AA: ['Armed Forces Americas', '340'],
  AE: ['Armed Forces Europe', '090-098'],
  AP: ['Armed Forces Pacific', '962-966'],
};

function column(states: States, index: 0 | 1 | 2): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(states).map(([code, values]) => [code, values[index]!]));
}

/** Names of the 50 US states and DC, by postal code. */
export const US_STATES = column(STATES, 0);

/** Names of the states of military addresses. */
export const MILITARY_STATES = column(MILITARY, 0);

/** Names of all states of postal addresses. */
export const POSTAL_STATES = { ...US_STATES, ...MILITARY_STATES };

/**
 * The ZIP codes of each state as ranges of their first digits, in which the post office of nearly every ZIP code is in the state.
 * Prefixes of single agencies are left out, and ZIP codes whose addresses are, or may be, in another state than those around them: Fishers
 * Island, Fort Campbell, Texhoma and Alta.
 *
 * @see USPS Publication 65, National Five-Digit ZIP Code and Post Office Directory.
 */
export const ZIP_RANGES = { ...column(STATES, 1), ...column(MILITARY, 1) };

/** A ZIP code of each capital, for checkouts that the sandbox and tests fill in. */
export const CAPITAL_ZIPS = column(STATES, 2);

/** Returns the state of a ZIP code of five digits; undefined if it is unknown or not certain. The script of the checkout does the same. */
export function stateOfZip(zip: string): string | undefined {
  const isIn = (range: string) => {
    const [from = '', to = from] = range.split('-');
    // All ZIP codes that begin with the end are in the range: "~" sorts after digits.
    return from <= zip && zip <= `${to}~`;
  };
  return Object.entries(ZIP_RANGES).find(([, ranges]) => ranges.split(' ').some(isIn))?.[0];
}

/**
 * IANA time zones, with the states in them. A state with several is in the westernmost one: a day that has ended there has ended in the
 * whole state.
 */
const STATES_BY_ZONE: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DE DC GA ME MD MA NH NJ NY NC OH PA RI SC VT VA WV',
  'America/Chicago': 'AL AR FL IL IN IA KY LA MI MN MS MO OK TN WI',
  'America/Denver': 'CO KS MT NE NM ND SD TX UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA ID NV OR WA',
  'America/Adak': 'AK',
  'Pacific/Honolulu': 'HI',
};

const ZONES_BY_STATE = new Map(
  Object.entries(STATES_BY_ZONE).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])),
);

/** Returns the time zone of a US state; undefined for a military address or without a state. */
export function timeZoneOf(state: string): string | undefined {
  return ZONES_BY_STATE.get(state);
}
