/** Where spans go, by configuration: an OTLP collector, a file of JSON lines, both or nowhere. An exporter that fails loses spans and nothing else. */
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { TraceFileExporter } from './trace-file-exporter.ts';

export interface TelemetrySettings {
  /** Path of a file of JSON lines; empty writes none. */
  readonly traceFile: string;
  /** Base URL of an OTLP/HTTP collector, for example http://127.0.0.1:4318; empty sends nothing. */
  readonly otlpEndpoint: string;
}

let running: TracerProvider | undefined;

/** Once per process, before its servers. */
export const startTelemetry = (app: string, { traceFile, otlpEndpoint }: TelemetrySettings): void => {
  const spanProcessors: SpanProcessor[] = [];
  if (traceFile !== '') {
    spanProcessors.push(
      new BatchSpanProcessor({ exporter: new TraceFileExporter(traceFile), scheduledDelayMillis: 500 }),
    );
  }
  if (otlpEndpoint !== '') {
    const url = `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`;
    spanProcessors.push(new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) }));
  }
  if (spanProcessors.length === 0) return;
  const resource = resourceFromAttributes({
    'service.namespace': 'bravo',
    'service.name': app,
    'service.instance.id': String(process.pid),
  });
  running = new TracerProvider({ resource, spanProcessors });
  trace.setGlobalTracerProvider(running);
};

/** Sends what is still waiting; never throws. */
export const stopTelemetry = async (): Promise<void> => {
  const provider = running;
  running = undefined;
  if (provider) trace.disable();
  await provider?.shutdown().catch(() => undefined);
};
