/** Draws the rows the server drew, in their order and each in full; it must never leave one out or change its words. */
import { memo } from 'react';
import type { Preview, PreviewRow } from '../api/contract.ts';
import { Marked } from './marked.tsx';

const SIGNS: Partial<Record<PreviewRow['kind'], string>> = { added: '+', removed: '−', same: ' ' };
const LINES: Partial<Record<PreviewRow['kind'], string>> = {
  added: 'bg-good-soft',
  removed: 'bg-bad-soft',
  same: '',
  line: '',
};

export const PreviewRows = memo(function PreviewRows({ preview }: { preview: Preview }) {
  return (
    <div data-testid="preview" className="space-y-1">
      {preview.rows.map((row, index) => (
        <Row key={index} row={row} />
      ))}
    </div>
  );
});

function Row({ row }: { row: PreviewRow }) {
  if (row.kind in LINES) {
    return (
      <div className={`exact flex gap-2 rounded-sm px-2 ${LINES[row.kind]}`} data-kind={row.kind}>
        <span aria-hidden="true" className="w-10 shrink-0 text-right text-muted tabular-nums select-none">
          {row.kind === 'removed' ? row.before : row.after}
        </span>
        {row.kind !== 'line' && (
          <span className="select-none" role="img" aria-label={row.kind}>
            {SIGNS[row.kind]}
          </span>
        )}
        <span className="min-w-0">
          <Marked shown={row} />
        </span>
      </div>
    );
  }
  if (row.kind === 'value') {
    return (
      <div className="flex items-baseline gap-2">
        <span className="shrink-0 text-xs font-medium text-muted">{row.name}</span>
        <span className="exact min-w-0" data-testid={`value-${row.name}`}>
          <Marked shown={row} />
        </span>
      </div>
    );
  }
  return (
    <p className={NOTES[row.kind] ?? 'text-sm'} data-kind={row.kind}>
      <Marked shown={row} />
    </p>
  );
}

const NOTES: Partial<Record<PreviewRow['kind'], string>> = {
  heading: 'pt-1.5 text-xs font-medium text-muted first:pt-0',
  hunk: 'pt-1 text-xs text-muted',
  note: 'text-sm',
  warning: 'text-sm font-medium text-bad',
  more: 'rounded-sm bg-ask-soft px-2 py-1 text-sm font-medium text-ask',
};
