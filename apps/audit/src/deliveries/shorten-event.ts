/** An event whose data are too long for a line: its envelope stays, and of its data what is short; that something was left out is said. Its hash is still that of the whole, which an export has. */
const MOST_WORD = 120;
const MOST_WORDS = 2_000;

export const shorten = (event: string): string => {
  const { data, ...envelope } = JSON.parse(event) as { data: Record<string, unknown> };
  let room = MOST_WORDS;
  const short = Object.entries(data).filter(([name, value]) => {
    const isShort =
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= MOST_WORD);
    if (!isShort) return false;
    room -= name.length + String(value).length + 8;
    return room > 0;
  });
  return JSON.stringify({
    ...envelope,
    data: { ...Object.fromEntries(short), left_out: 'too long for this way of delivery; an export has all of it' },
  });
};
