/** The rows the server drew, on a terminal: each in full and in its order, with the same symbols a page shows. */
import { visibleText } from '../../demo/visible-text.ts';

export interface Row {
  readonly kind: string;
  readonly name?: string;
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
}

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', same: ' ', line: ' ' };

/** Lines without their feed. What stands in a row is one line, whatever it says. */
export const drawRows = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ kind, name, before, after, text }) => {
    const shown = visibleText(text).replaceAll('\n', '␊');
    if (Object.hasOwn(SIGNS, kind)) {
      const place = String((kind === 'removed' ? before : after) ?? '').padStart(5);
      return `  ${place} ${SIGNS[kind]} ${shown}`;
    }
    if (kind === 'value') return `  ${visibleText(name ?? '')} = ${shown}`;
    return kind === 'warning' || kind === 'more' ? `  ! ${shown}` : `  ${shown}`;
  });
