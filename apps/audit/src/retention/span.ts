/** How long something is kept, as people write it. Guarantees that nothing but "forever" means for ever, and that no time is zero. */

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
type Unit = keyof typeof UNIT_SECONDS;

/** Seconds, or null for ever; undefined where the text says neither. */
export const readSpan = (text: string): number | null | undefined => {
  if (text === 'forever') return null;
  const [, count, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_SECONDS[unit as Unit];
};

/** In the largest unit that says it exactly. */
export const spellSpan = (seconds: number | null): string => {
  if (seconds === null) return 'forever';
  const unit = (['d', 'h', 'm', 's'] as const).find((one) => seconds % UNIT_SECONDS[one] === 0) as Unit;
  return `${seconds / UNIT_SECONDS[unit]}${unit}`;
};
