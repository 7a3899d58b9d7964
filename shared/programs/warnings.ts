import type { Problem } from './consistency.ts';
import type { Program } from './program.ts';

/** A rate that fewer approved buyers qualify for is hardly representative: comment 24(d)(2)-5 to 12 CFR 1026.24. */
const LEAST_SHARE = 0.1;

/** Returns warnings about a valid program. */
export function findWarnings(program: Program): Problem[] {
  return [...shareWarnings(program), ...saleWarnings(program), ...stateWarnings(program)];
}

function shareWarnings({ tiers }: Program): Problem[] {
  const unadvertised: Problem[] = tiers.some(({ advertise }) => advertise)
    ? []
    : [{ path: ['tiers'], message: 'No tier is advertised: quotes show the range of rates without an "as low as" example' }];
  const rare = tiers.flatMap(({ id, advertise, representativeShare }, index): Problem[] => {
    if (!advertise || representativeShare === undefined || representativeShare >= LEAST_SHARE) return [];
    const percent = `${Math.round(100 * representativeShare)} %`;
    return [
      { path: ['tiers', index], message: `Tier "${id}" is advertised, but only ${percent} of approved buyers qualify for it` },
    ];
  });
  return [...unadvertised, ...rare];
}

function saleWarnings({ tiers, offers }: Program): Problem[] {
  return tiers.flatMap(({ id }, index): Problem[] => {
    if (offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id))) return [];
    return [{ path: ['tiers', index], message: `Tier "${id}" has no offers` }];
  });
}

/** Offers above a state's cap are valid but not sold in that state. The warning makes this visible to the operator. */
function stateWarnings({ offers, caps, states }: Program): Problem[] {
  return Object.entries(caps.stateAprCapBps).flatMap(([state, capBps]) => {
    if (states.excluded.includes(state)) return [];
    const above = offers.flatMap(({ id, tierAprBps }) =>
      Object.entries(tierAprBps).flatMap(([tierId, rateBps]) => (rateBps > capBps ? [`${id} for ${tierId}`] : [])),
    );
    if (above.length === 0) return [];
    return [{ path: ['caps', 'stateAprCapBps', state], message: `Not sold in ${state}: ${above.join(', ')}` }];
  });
}
