/** Draws one trace as a tree beside its time, from the spans of every process's trace file; it shows names, times and codes only. */
import type { TraceFileSpan } from '@bravo/chassis/trace-file-exporter';

const WIDTH = 40;

interface Node {
  readonly span: TraceFileSpan;
  readonly began: number;
  readonly children: Node[];
}

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
    wanted === undefined ? span.name === 'drive-turn' : span.trace_id === wanted || Object.values(span.attributes).includes(wanted);
  return spans.filter(fits).sort((a, b) => b.start.localeCompare(a.start))[0]?.trace_id;
};

const treeOf = (spans: readonly TraceFileSpan[]): Node[] => {
  const nodes = new Map(spans.map((span) => [span.span_id, { span, began: Date.parse(span.start), children: [] as Node[] }]));
  const roots: Node[] = [];
  for (const node of [...nodes.values()].sort((a, b) => a.began - b.began)) {
    (nodes.get(node.span.parent_span_id ?? '')?.children ?? roots).push(node);
  }
  return roots;
};

const duration = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`);

/** One line per span: the bar of its time, its place in the tree, its process. */
export const drawTrace = (all: readonly TraceFileSpan[], traceId: string): string[] => {
  const spans = all.filter(({ trace_id }) => trace_id === traceId);
  const from = Math.min(...spans.map(({ start }) => Date.parse(start)));
  const to = Math.max(...spans.map(({ start, duration_ms }) => Date.parse(start) + duration_ms));
  const scale = WIDTH / Math.max(1, to - from);
  const lines: string[] = [];
  const draw = ({ span, began, children }: Node, depth: number): void => {
    const left = Math.min(WIDTH - 1, Math.floor((began - from) * scale));
    const length = Math.max(1, Math.min(WIDTH - left, Math.round(span.duration_ms * scale)));
    const bar = `${' '.repeat(left)}${'█'.repeat(length)}`.padEnd(WIDTH);
    const failed = span.error === undefined ? '' : `  ✗ ${span.error}`;
    lines.push(`${bar} ${duration(span.duration_ms).padStart(9)}  ${'  '.repeat(depth)}${span.name} · ${span.app}${failed}`);
    for (const child of children) draw(child, depth + 1);
  };
  for (const root of treeOf(spans)) draw(root, 0);
  return [`trace ${traceId}, ${spans.length} spans, ${duration(to - from)}`, ...lines];
};
