import type { Problem } from './coherence.ts';
import type { Program } from './program.ts';

/** Below this part of approved buyers, a rate hardly represents what is made available: comment 24(d)(2)-5 to 12 CFR 1026.24. */
const LEAST_SHARE = 0.1;

/** What asks for a second look in a program that may be used. */
export function warningsAbout(program: Program): Problem[] {
  return [...shareWarnings(program), ...saleWarnings(program), ...stateWarnings(program)];
}

function shareWarnings({ tiers }: Program): Problem[] {
  const unadvertised: Problem[] = tiers.some(({ advertise }) => advertise)
    ? []
    : [{ path: ['tiers'], message: 'No tier may be advertised: there is no "as low as" example, only the range of rates' }];
  const rare = tiers.flatMap(({ id, advertise, representativeShare }, index): Problem[] => {
    if (!advertise || representativeShare === undefined || representativeShare >= LEAST_SHARE) return [];
    const percent = `${Math.round(100 * representativeShare)} %`;
    return [{ path: ['tiers', index], message: `Tier "${id}" is advertised, though ${percent} of approved buyers reach it` }];
  });
  return [...unadvertised, ...rare];
}

function saleWarnings({ tiers, offers }: Program): Problem[] {
  return tiers.flatMap(({ id }, index): Problem[] => {
    if (offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id))) return [];
    return [{ path: ['tiers', index], message: `Tier "${id}" is sold nothing` }];
  });
}

/** A rate above a state's cap is not wrong: it is not sold there. Nobody should find that out from a buyer. */
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
