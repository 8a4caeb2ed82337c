/** Which tickets were shown already. A ticket is good for one connection; it is remembered for longer than it is valid. */

const REMEMBERED_MS = 90_000;

export const createUsedTickets = (
  now: () => number,
): ((ticket: { readonly id: string; readonly service: string }) => boolean) => {
  const seen = new Map<string, number>();
  return ({ id, service }) => {
    const at = now();
    // In the order they came, so the old ones are in front.
    for (const [key, until] of seen) {
      if (until > at) break;
      seen.delete(key);
    }
    const key = `${service} ${id}`;
    if (seen.has(key)) return false;
    seen.set(key, at + REMEMBERED_MS);
    return true;
  };
};
