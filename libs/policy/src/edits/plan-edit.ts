/** Where an edit lands in a text and what the text is afterwards. Guarantees that a passage is found byte for byte and exactly once unless all are asked for; it must never guess a place. */

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Every occurrence instead of exactly one. */
  readonly replaceAll: boolean;
}

export type PlannedEdit =
  | { readonly kind: 'fits'; readonly after: string; readonly replaced: number }
  | { readonly kind: 'refused'; readonly reason: EditRefusal; readonly text: string };

export type EditRefusal = 'empty' | 'no_change' | 'missing' | 'ambiguous';

/** Occurrences do not overlap: the next one is looked for behind the one before. */
export function planEdit(before: string, { oldText, newText, replaceAll }: Edit): PlannedEdit {
  if (oldText === '') return refused('empty', 'old_text is empty: give the exact text that is to be replaced.');
  if (oldText === newText) return refused('no_change', 'old_text and new_text are the same, so nothing would change.');
  const places = occurrences(before, oldText);
  if (places.length === 0)
    return refused(
      'missing',
      'old_text is not in the file, byte for byte (spaces, tabs and line ends count). Read the file again and copy the passage exactly.',
    );
  if (places.length > 1 && !replaceAll)
    return refused(
      'ambiguous',
      `old_text is in the file ${places.length} times. Give more of the text around it, so that it is there once, or set replace_all.`,
    );
  let after = '';
  let from = 0;
  for (const place of places) {
    after += before.slice(from, place) + newText;
    from = place + oldText.length;
  }
  return { kind: 'fits', after: after + before.slice(from), replaced: places.length };
}

function occurrences(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function refused(reason: EditRefusal, text: string): PlannedEdit {
  return { kind: 'refused', reason, text };
}
