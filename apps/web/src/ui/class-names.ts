/** Joins class names, leaving out what is off; it must never reorder them. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
