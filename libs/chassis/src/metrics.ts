/**
 * The numbers of a process in the Prometheus format. Labels are words of ours from closed lists: never an id, a name or
 * anything a caller chose, so that nobody can make them grow or read another's.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
let processMetrics = false;

/** Memory, CPU, event loop and collector of this process, from now on. */
export const startProcessMetrics = (): void => {
  if (processMetrics) return;
  processMetrics = true;
  collectDefaultMetrics({ register: registry });
};

export const METRICS_CONTENT_TYPE = registry.contentType;
export const renderMetrics = (): Promise<string> => registry.metrics();

/** Of one process there is one metric of a name, however often it is asked for. */
const once = <M>(name: string, create: () => M): M => (registry.getSingleMetric(name) as M | undefined) ?? create();

type Labels = Readonly<Record<string, string>>;

/** Counts events; `count` adds one, or as many as it is told. */
export const createCounter = (
  name: string,
  help: string,
  labelNames: readonly string[] = [],
): { count(labels?: Labels, by?: number): void } => {
  const counter = once(name, () => new Counter({ name, help, labelNames: [...labelNames], registers: [registry] }));
  return { count: (labels = {}, by = 1) => counter.inc({ ...labels }, by) };
};

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Distribution of durations in seconds. */
export const createTimer = (
  name: string,
  help: string,
  labelNames: readonly string[] = [],
): { observe(seconds: number, labels?: Labels): void } => {
  const histogram = once(
    name,
    () => new Histogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] }),
  );
  return { observe: (seconds, labels = {}) => histogram.observe({ ...labels }, seconds) };
};

export interface Measured {
  readonly value: number;
  readonly labels?: Labels;
}

const sources = new Map<string, () => Promise<readonly Measured[]>>();

/** A value that is looked up when somebody asks. Where it cannot be had it is absent: a stale number would be worse. */
export const measure = (
  name: string,
  help: string,
  labelNames: readonly string[],
  look: () => Promise<readonly Measured[]>,
): void => {
  sources.set(name, look);
  once(
    name,
    () =>
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          this.reset();
          // A gauge without labels would answer 0 after the reset, which is a number and not an absence.
          if (labelNames.length === 0) this.remove();
          const found = await (sources.get(name)?.() ?? Promise.resolve([])).catch(() => []);
          for (const { value, labels = {} } of found) this.set({ ...labels }, value);
        },
      }),
  );
};

/** Of every service with an outbox. */
export const measureOutboxLag = (seconds: () => Promise<number>): void =>
  measure('bravo_outbox_lag_seconds', 'Age of the oldest event that is recorded and not published.', [], async () => [
    { value: await seconds() },
  ]);

/** Of every service that consumes a stream. `stream` is one of the bus's own names. */
export const measureConsumerLag = (stream: string, messages: () => Promise<number>): void =>
  measure('bravo_consumer_lag_messages', 'Messages of a stream that wait for this consumer.', ['stream'], async () => [
    { value: await messages(), labels: { stream } },
  ]);
