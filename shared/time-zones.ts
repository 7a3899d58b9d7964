/**
 * IANA time zones, with the states in them. A state with several is in the westernmost one: a day that has ended there has ended in the
 * whole state.
 */
const STATES: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DE DC GA ME MD MA NH NJ NY NC OH PA RI SC VT VA WV',
  'America/Chicago': 'AL AR FL IL IN IA KY LA MI MN MS MO OK TN WI',
  'America/Denver': 'CO KS MT NE NM ND SD TX UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA ID NV OR WA',
  'America/Adak': 'AK',
  'Pacific/Honolulu': 'HI',
};

const ZONES = new Map(Object.entries(STATES).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])));

/** Returns the time zone of a US state; undefined for a military address or without a state. */
export function timeZoneOf(state: string): string | undefined {
  return ZONES.get(state);
}
