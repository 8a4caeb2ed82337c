/** W3C trace context of the work in hand, carried across awaits and over every hop; it decides nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hex digits, the same from the first edge to the last. */
  readonly traceId: string;
  /** 16 hex digits, the caller's span. */
  readonly spanId: string;
}

const storage = new AsyncLocalStorage<TraceContext>();
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const ZERO = /^0+$/;

export const newTrace = (): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

/** The context of an incoming header; a missing or malformed one begins a new trace. */
export const readTraceparent = (header: string | undefined): TraceContext => {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  if (!match?.[1] || !match[2] || ZERO.test(match[1]) || ZERO.test(match[2])) return newTrace();
  return { traceId: match[1], spanId: match[2] };
};

export const currentTrace = (): TraceContext | undefined => storage.getStore();

/** The header for an outgoing call: same trace, a span of its own. */
export const outgoingTraceparent = (): string => {
  const trace = currentTrace() ?? newTrace();
  return `00-${trace.traceId}-${randomBytes(8).toString('hex')}-01`;
};

export const runInTrace = <T>(trace: TraceContext, work: () => T): T => storage.run(trace, work);
