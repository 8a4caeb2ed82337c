/** Writes finished spans as JSON lines to a file only its owner reads; bounded to twice MAX_BYTES, because nobody rotates it from outside. */
import { appendFile, rename, stat } from 'node:fs/promises';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** One line of the file. */
export interface TraceFileSpan {
  readonly app: string;
  readonly name: string;
  readonly trace_id: string;
  readonly span_id: string;
  /** Absent for the first span of a trace. */
  readonly parent_span_id?: string;
  readonly kind: string;
  /** RFC 3339, UTC. */
  readonly start: string;
  readonly duration_ms: number;
  /** The fault's code where it failed. */
  readonly error?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const MAX_BYTES = 16 * 1024 * 1024;

const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1e3 + nanoseconds / 1e6;

export class TraceFileExporter implements SpanExporter {
  readonly #file: string;
  #written: number | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const text = spans.map((span) => `${JSON.stringify(lineOf(span))}\n`).join('');
    this.#queue = this.#queue
      .then(() => this.#write(text))
      .then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      );
  }

  forceFlush(): Promise<void> {
    return this.#queue;
  }

  shutdown(): Promise<void> {
    return this.#queue;
  }

  async #write(text: string): Promise<void> {
    this.#written ??= await stat(this.#file).then(
      ({ size }) => size,
      () => 0,
    );
    if (this.#written > MAX_BYTES) {
      await rename(this.#file, `${this.#file}.1`);
      this.#written = 0;
    }
    await appendFile(this.#file, text, { mode: 0o600 });
    this.#written += Buffer.byteLength(text);
  }
}

const lineOf = (span: ReadableSpan): TraceFileSpan => {
  const { traceId, spanId } = span.spanContext();
  return {
    app: String(span.resource.attributes['service.name'] ?? ''),
    name: span.name,
    trace_id: traceId,
    span_id: spanId,
    ...(span.parentSpanContext ? { parent_span_id: span.parentSpanContext.spanId } : {}),
    kind: SpanKind[span.kind].toLowerCase(),
    start: new Date(milliseconds(span.startTime)).toISOString(),
    duration_ms: Math.round(milliseconds(span.duration) * 1_000) / 1_000,
    ...(span.status.code === SpanStatusCode.ERROR ? { error: span.status.message ?? 'failed' } : {}),
    attributes: span.attributes,
  };
};
