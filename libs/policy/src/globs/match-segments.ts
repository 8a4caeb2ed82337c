/** Matches one word of a glob against a path. Guarantees work within word length times path length, whatever either holds; it must never try a choice twice. */

/** Counts comparisons, so that a test can hold the bound without a clock. */
export interface StepMeter {
  steps: number;
}

/** A word cut at its slashes. `**` as a whole segment stands for any number of segments, none included. */
export type GlobSegments = readonly GlobSegment[];
type GlobSegment = readonly string[] | typeof ANY_DEPTH;
const ANY_DEPTH = '**';

export function segmentGlob(word: string): GlobSegments {
  // Characters and not UTF-16 units: a question mark stands for one character.
  return word.split('/').map((segment) => (segment === ANY_DEPTH ? ANY_DEPTH : [...segment]));
}

export type PathSegments = readonly (readonly string[])[];

export function segmentPath(path: string): PathSegments {
  return path.split('/').map((segment) => [...segment]);
}

export function matchesSegments(glob: GlobSegments, path: PathSegments, meter: StepMeter): boolean {
  return matchesSequence(
    glob.length,
    path.length,
    (at) => glob[at] === ANY_DEPTH,
    (at, with_) => {
      const segment = glob[at];
      return segment !== undefined && segment !== ANY_DEPTH && matchesSegment(segment, path[with_] ?? [], meter);
    },
    meter,
  );
}

/** `*` any run of characters, `?` exactly one, anything else itself. */
function matchesSegment(glob: readonly string[], name: readonly string[], meter: StepMeter): boolean {
  return matchesSequence(
    glob.length,
    name.length,
    (at) => glob[at] === '*',
    (at, with_) => glob[at] === '?' || glob[at] === name[with_],
    meter,
  );
}

/**
 * Whether `length` items match a pattern some of whose places stand for any run of items. The stretch after a run is laid
 * at the earliest item it fits; an earlier run never needs to be looked at again, because what it left over the later one takes.
 */
function matchesSequence(
  places: number,
  length: number,
  isRun: (place: number) => boolean,
  fits: (place: number, item: number) => boolean,
  meter: StepMeter,
): boolean {
  let place = 0;
  let item = 0;
  let lastRun = -1;
  let lastStart = 0;
  while (item < length) {
    meter.steps += 1;
    if (place < places && isRun(place)) {
      lastRun = place;
      lastStart = item;
      place += 1;
    } else if (place < places && fits(place, item)) {
      place += 1;
      item += 1;
    } else if (lastRun >= 0) {
      lastStart += 1;
      place = lastRun + 1;
      item = lastStart;
    } else {
      return false;
    }
  }
  while (place < places && isRun(place)) place += 1;
  return place === places;
}
