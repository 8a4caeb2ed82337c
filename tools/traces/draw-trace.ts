/** Draws one trace as a tree beside its time, from the spans of every process's trace file; it shows names, times and codes only. */
import type { TraceFileSpan } from '@bravo/chassis/trace-file-exporter';
import { duration, traceTree } from './trace-tree.ts';

const WIDTH = 40;

/** A line that was cut off by a crash, or is no span, is passed over. */
export const readSpans = (text: string): TraceFileSpan[] =>
  text.split('\n').flatMap((line) => {
    try {
      const span = JSON.parse(line) as TraceFileSpan;
      return typeof span.trace_id === 'string' && typeof span.name === 'string' ? [span] : [];
    } catch {
      return [];
    }
  });

/** The newest trace that a message began, by a trace id or by the id of a conversation, a turn or a tool call. */
export const findTrace = (spans: readonly TraceFileSpan[], wanted: string | undefined): string | undefined => {
  const fits = (span: TraceFileSpan): boolean =>
    wanted === undefined
      ? span.name === 'drive-turn'
      : span.trace_id === wanted || Object.values(span.attributes).includes(wanted);
  return spans.filter(fits).sort((a, b) => b.start.localeCompare(a.start))[0]?.trace_id;
};

/** One line per span: the bar of its time, its place in the tree, its process. */
export const drawTrace = (spans: readonly TraceFileSpan[], traceId: string): string[] => {
  const { rows, totalMs } = traceTree(spans, traceId);
  const scale = WIDTH / Math.max(1, totalMs);
  const lines = rows.map(({ span, depth, fromMs }) => {
    const left = Math.min(WIDTH - 1, Math.floor(fromMs * scale));
    const length = Math.max(1, Math.min(WIDTH - left, Math.round(span.duration_ms * scale)));
    const bar = `${' '.repeat(left)}${'█'.repeat(length)}`.padEnd(WIDTH);
    const failed = span.error === undefined ? '' : `  ✗ ${span.error}`;
    return `${bar} ${duration(span.duration_ms).padStart(9)}  ${'  '.repeat(depth)}${span.name} · ${span.app}${failed}`;
  });
  return [`trace ${traceId}, ${rows.length} spans, ${duration(totalMs)}`, ...lines];
};
