/** Names with numbers in the order of versions, as git sorts `version:refname`: runs of digits by value, those behind a zero as fractions. */

/** Runs of digits and of anything else, in turns. */
const partsOf = (name: string): string[] => name.match(/\d+|\D+/g) ?? [];

const compareDigits = (a: string, b: string): number => {
  if (a === b) return 0;
  const fractional = a.startsWith('0') || b.startsWith('0');
  if (!fractional) return a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length;
  const [zerosA, zerosB] = [/^0*/.exec(a)![0].length, /^0*/.exec(b)![0].length];
  // A number that begins with more zeros is the smaller fraction; one that is nothing but zeros comes before its continuation.
  if (zerosA !== zerosB) {
    const least = Math.min(zerosA, zerosB);
    if (a.length === least && zerosA === a.length && zerosB > zerosA) return 1;
    if (b.length === least && zerosB === b.length && zerosA > zerosB) return -1;
    return zerosB - zerosA;
  }
  if (zerosA === 0) return a.length - b.length;
  return a < b ? -1 : 1;
};

export const compareVersions = (a: string, b: string): number => {
  const [one, other] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [mine, theirs] = [one[at], other[at]];
    if (mine === undefined) return -1;
    if (theirs === undefined) return 1;
    if (mine === theirs) continue;
    if (/^\d/.test(mine) && /^\d/.test(theirs)) {
      const order = compareDigits(mine, theirs);
      if (order !== 0) return order;
      continue;
    }
    return Buffer.compare(Buffer.from(mine), Buffer.from(theirs));
  }
  return 0;
};
