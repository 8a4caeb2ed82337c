/**
 * Spans of the steps of a message, under the names of docs/architecture.md. They carry ids, counts and fault codes; never
 * content, never an error's text. Without an exporter they cost next to nothing and only the trace id goes on.
 */
import { toFault } from '@bravo/faults';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { currentTrace, newTrace, parseTraceparent, runInTrace, type TraceContext } from './trace-context.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface StepSpan {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it failed with the fault's code. */
  fail(error: unknown): void;
  end(): void;
}

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal';
  /** Absent: a child of the work in hand. Null: a new trace. */
  readonly parent?: TraceContext | null | undefined;
  readonly attributes?: SpanAttributes;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** `RunTurn` and `runTurn` as `run-turn`: one verb and noun per step, everywhere. */
export const stepName = (method: string): string => method.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

/** The caller ends it. Work in it runs through `runInTrace(span.context, …)`. */
export const startSpan = (
  name: string,
  { kind = 'internal', parent = currentTrace(), attributes = {} }: SpanOptions = {},
): StepSpan => {
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: kind !== 'internal' })
    : ROOT_CONTEXT;
  const span = trace.getTracer('bravo').startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, context);
  return wrap(span);
};

const wrap = (span: Span): StepSpan => {
  const own = span.spanContext();
  return {
    context: isSpanContextValid(own) ? { traceId: own.traceId, spanId: own.spanId } : newTrace(),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (error) => {
      const { code } = toFault(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      span.setAttribute('error.type', code);
    },
    end: () => span.end(),
  };
};

/** Runs one step in a span of its own. */
export const inSpan = async <T>(
  name: string,
  work: (span: StepSpan) => T | Promise<T>,
  options: SpanOptions = {},
): Promise<T> => {
  const span = startSpan(name, options);
  try {
    return await runInTrace(span.context, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
};

/** Runs a step that a message brought: its parent is the message's header, or nothing where there is none. */
export const inSpanOf = <T>(
  traceparent: string | undefined,
  name: string,
  work: (span: StepSpan) => T | Promise<T>,
  options: Omit<SpanOptions, 'parent'> = {},
): Promise<T> => inSpan(name, work, { kind: 'consumer', ...options, parent: parseTraceparent(traceparent) ?? null });
