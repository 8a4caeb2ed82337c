/** Trust of names in a listing. Guarantees that a name is shown only where every letter of it is part of a vouched path. */
import { lookUpTrust, type PathTrust, type TrustMap } from '@bravo/policy';

/** A path nobody spoke about counts as vouched when it leads to one that is; an explicit mark always holds. */
export const trustOfName = (map: TrustMap, path: string): PathTrust => {
  const trust = lookUpTrust(map, path);
  const leadsToVouched = map.some((rule) => rule.trust && rule.path.startsWith(`${path}/`));
  return trust === 'unmentioned' && leadsToVouched ? 'trusted' : trust;
};
