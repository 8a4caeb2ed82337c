/** W3C trace context of the work in hand, carried across awaits and over every hop; it decides nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hex digits, the same from the first edge to the last. */
  readonly traceId: string;
  /** 16 hex digits, the span the work belongs to. */
  readonly spanId: string;
}

const storage = new AsyncLocalStorage<TraceContext>();
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const ZERO = /^0+$/;

export const newTrace = (): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

/** The context of an incoming header, or undefined when it is missing or malformed. */
export const parseTraceparent = (header: string | undefined): TraceContext | undefined => {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  if (!match?.[1] || !match[2] || ZERO.test(match[1]) || ZERO.test(match[2])) return undefined;
  return { traceId: match[1], spanId: match[2] };
};

/** The same, where a missing or malformed header begins a new trace. */
export const readTraceparent = (header: string | undefined): TraceContext => parseTraceparent(header) ?? newTrace();

export const currentTrace = (): TraceContext | undefined => storage.getStore();

const headerOf = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`;

/** The header of the work in hand, or undefined outside of any: then the callee begins the trace, and no span has a parent that never was. */
export const currentTraceparent = (): string | undefined => {
  const trace = currentTrace();
  return trace && headerOf(trace);
};

/** The same for whoever wants a text: empty outside of any work. */
export const outgoingTraceparent = (): string => currentTraceparent() ?? '';

export const runInTrace = <T>(trace: TraceContext, work: () => T): T => storage.run(trace, work);
