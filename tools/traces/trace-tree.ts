/** The spans of one trace as a tree with its times; the first of siblings is the one that began first. */
import type { TraceFileSpan } from '@bravo/chassis/trace-file-exporter';

export interface TraceRow {
  readonly span: TraceFileSpan;
  readonly depth: number;
  /** Milliseconds from the beginning of the trace. */
  readonly fromMs: number;
}

export interface TraceTree {
  readonly traceId: string;
  readonly startedAt: string;
  readonly totalMs: number;
  /** Parents before their children. */
  readonly rows: readonly TraceRow[];
}

interface Node {
  readonly span: TraceFileSpan;
  readonly began: number;
  readonly children: Node[];
}

const rootsOf = (spans: readonly TraceFileSpan[]): Node[] => {
  const nodes = new Map(
    spans.map((span) => [span.span_id, { span, began: Date.parse(span.start), children: [] as Node[] }]),
  );
  const roots: Node[] = [];
  // A span whose parent was never told of stands for itself.
  for (const node of [...nodes.values()].sort((a, b) => a.began - b.began)) {
    (nodes.get(node.span.parent_span_id ?? '')?.children ?? roots).push(node);
  }
  return roots;
};

export const traceTree = (all: readonly TraceFileSpan[], traceId: string): TraceTree => {
  const spans = all.filter(({ trace_id }) => trace_id === traceId);
  const from = Math.min(...spans.map(({ start }) => Date.parse(start)));
  const to = Math.max(...spans.map(({ start, duration_ms }) => Date.parse(start) + duration_ms));
  const rows: TraceRow[] = [];
  const add = ({ span, began, children }: Node, depth: number): void => {
    rows.push({ span, depth, fromMs: began - from });
    for (const child of children) add(child, depth + 1);
  };
  for (const root of rootsOf(spans)) add(root, 0);
  return { traceId, startedAt: new Date(from).toISOString(), totalMs: to - from, rows };
};

export const duration = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`);
