/**
 * The ZIP codes of each state as ranges of their first three digits, in which the post office of nearly every ZIP code is in the state.
 * Prefixes of single agencies are left out.
 *
 * @see USPS Publication 65, National Five-Digit ZIP Code and Post Office Directory.
 */
export const ZIP_PREFIXES: Readonly<Record<string, string>> = {
  AL: '350-352 354-369',
  AK: '995-999',
  AZ: '850-853 855-857 859-860 863-865',
  AR: '716-729',
  CA: '900-908 910-928 930-961',
  CO: '800-816',
  CT: '060-069',
  DE: '197-199',
  DC: '200 202-205',
  FL: '320-339 341-342 344 346-347 349',
  GA: '300-319 398-399',
  HI: '967-968',
  ID: '832-838',
  IL: '600-620 622-629',
  IN: '460-479',
  IA: '500-516 520-528',
  KS: '660-662 664-679',
  KY: '400-427',
  LA: '700-701 703-708 710-714',
  ME: '039-049',
  MD: '206-212 214-219',
  MA: '010-027',
  MI: '480-499',
  MN: '550-551 553-567',
  MS: '386-397',
  MO: '630-631 633-641 644-658',
  MT: '590-599',
  NE: '680-681 683-693',
  NV: '889-891 893-895 897-898',
  NH: '030-038',
  NJ: '070-089',
  NM: '870-871 873-875 877-884',
  NY: '100-149',
  NC: '270-289',
  ND: '580-588',
  OH: '430-459',
  OK: '730-731 734-741 743-749',
  OR: '970-979',
  PA: '150-196',
  RI: '028-029',
  SC: '290-299',
  SD: '570-577',
  TN: '370-385',
  TX: '750-770 772-799 885',
  UT: '840-847',
  VT: '050-054 056-059',
  VA: '201 220-246',
  WA: '980-986 988-994',
  WV: '247-268',
  WI: '530-532 534-535 537-549',
  WY: '820-831',
  AA: '340',
  AE: '090-098',
  AP: '962-966',
};

/** ZIP codes in the prefix of one state whose addresses are, or may be, in another: Fishers Island, Fort Campbell, Texhoma and Alta. */
const BORDER_ZIPS = ['06390', '42223', '73949', '83414'];

/** Returns the state of a ZIP code of five digits; undefined if it is unknown or not certain. */
export function stateOfZip(zip: string): string | undefined {
  if (BORDER_ZIPS.includes(zip)) return undefined;
  const prefix = zip.slice(0, 3);
  const isIn = (range: string) => {
    const [from = '', to = from] = range.split('-');
    return from <= prefix && prefix <= to;
  };
  return Object.entries(ZIP_PREFIXES).find(([, ranges]) => ranges.split(' ').some(isIn))?.[0];
}
