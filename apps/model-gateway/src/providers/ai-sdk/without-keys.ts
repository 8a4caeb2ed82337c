/** Takes our keys out of what an upstream says: some repeat the key they refuse, whole or by its ends, and what they say is told to pods and people. */

const TELLING = 6;

export const withoutKeys = (message: string, keys: readonly string[]): string => keys.reduce(withoutKey, message);

function withoutKey(message: string, key: string): string {
  if (key === '') return message;
  const whole = message.replaceAll(key, '[our key]');
  // The ends of a key as short as this are ordinary words.
  if (key.length < 2 * TELLING) return whole;
  const ends = [key.slice(0, TELLING), key.slice(-TELLING)];
  return whole.replace(/[^\s"'`]+/g, (word) => (ends.some((end) => word.includes(end)) ? '[our key]' : word));
}
