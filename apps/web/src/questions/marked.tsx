/** Text as the server drew it; it must never change a word of it. */
import type { ReactNode } from 'react';
import type { ShownText } from '../api/contract.ts';

/** The text, with every symbol told apart from text that only looks like one. */
export function Marked({ shown: row }: { shown: ShownText }): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [at, length, what] of row.marks ?? []) {
    if (at > from) parts.push(row.text.slice(from, at));
    parts.push(
      <span key={at} className="hidden-character" title={what} role="img" aria-label={what}>
        {row.text.slice(at, at + length)}
      </span>,
    );
    from = at + length;
  }
  parts.push(row.text.slice(from));
  return parts;
}
