/** Names somebody may have meant. */

/** How many characters must be put in, taken out or exchanged to make one of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
};

const MOST = 3;
/** A name longer than any tool's is near to none, and comparing it would only cost. */
const LONGEST = 64;

/** Nearest first: at most a third of the name is another, whatever its case. */
export const nearNames = (name: string, known: readonly string[]): string[] => {
  if (name.length > LONGEST) return [];
  const meant = name.toLowerCase();
  return known
    .map((candidate) => ({ candidate, away: distance(meant, candidate.toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.max(name.length, candidate.length) / 3)
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
};
