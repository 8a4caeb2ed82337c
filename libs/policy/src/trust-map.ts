/** Which paths a person vouched for. Guarantees that the longest rule of whole segments decides and that silence trusts nothing; it must never change the trust of a path beside the one written. */
import type { Integrity } from './label.ts';

export type PathTrust = 'trusted' | 'untrusted' | 'unmentioned';

export interface TrustRule {
  /** A path in `/` spelling, from the root of the workspace; the leading slash may be left out. A plain name, never a pattern. */
  readonly path: string;
  readonly trust: boolean;
}

/** In the order they were made: a later rule for the same path replaces an earlier one. */
export type TrustMap = readonly TrustRule[];

/** Whether the volume folds case. Unknown is compared byte by byte. */
export type CaseFolding = boolean | 'unknown';

export interface WriteQuestion {
  /** The table by itself asks: the write would spoil a trusted path, or give a first label to a new one. */
  readonly tableAsks: boolean;
  /** Trust of the path once the write is complete. */
  readonly after: 'trusted' | 'untrusted';
}

/** Trust of `path` (`/` spelling from the workspace's root, dots resolved) by the longest rule whose whole segments lead to it. */
export function lookUpTrust(map: TrustMap, path: string, caseFolding: CaseFolding = 'unknown'): PathTrust {
  const wanted = segmentsOf(path, caseFolding);
  if (wanted === undefined) return 'unmentioned';
  let longest = -1;
  let trust: PathTrust = 'unmentioned';
  for (const rule of map) {
    const segments = segmentsOf(rule.path, caseFolding);
    if (segments !== undefined && segments.length >= longest && isPrefix(segments, wanted)) {
      longest = segments.length;
      trust = rule.trust ? 'trusted' : 'untrusted';
    }
  }
  return trust;
}

/** What a write of data with this integrity asks and leaves behind. */
export function judgeWrite(data: Integrity, destination: PathTrust): WriteQuestion {
  const spoils = data === 'untrusted' && destination === 'trusted';
  return {
    tableAsks: spoils || destination === 'unmentioned',
    after: data === 'trusted' ? 'trusted' : 'untrusted',
  };
}

/** The map to store before a write begins: whatever happens then, an unfinished file is not vouched for. */
export function markBeforeWrite(map: TrustMap, path: string): TrustMap {
  return withRule(map, path, false);
}

/** The map after a write: the data's integrity on the exact path where the replacement was complete, untrusted otherwise. */
export function markAfterWrite(map: TrustMap, path: string, data: Integrity, outcome: 'complete' | 'failed'): TrustMap {
  return withRule(map, path, outcome === 'complete' && data === 'trusted');
}

/** Whether there are paths and every one of them is vouched for: where none is named nobody vouched for anything. */
export function areAllVouched(trusts: readonly PathTrust[]): boolean {
  return trusts.length > 0 && trusts.every((trust) => trust === 'trusted');
}

function withRule(map: TrustMap, path: string, trust: boolean): TrustMap {
  return [...map.filter((rule) => rule.path !== path), { path, trust }];
}

/** Segments from the root. Of an empty path, or one with dots left in it, nothing: it is no key and covers nothing. */
function segmentsOf(path: string, caseFolding: CaseFolding): readonly string[] | undefined {
  if (path === '') return undefined;
  const spelled = caseFolding === true ? path.toLowerCase() : path;
  const segments = spelled.split('/').filter((segment) => segment !== '');
  return segments.some((segment) => segment === '.' || segment === '..') ? undefined : segments;
}

function isPrefix(prefix: readonly string[], of: readonly string[]): boolean {
  return prefix.length <= of.length && prefix.every((segment, at) => segment === of[at]);
}
