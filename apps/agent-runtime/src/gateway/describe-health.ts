/** Shapes what is told of the process itself with ZeroClaw's keys; it never turns a lost tool server into a dead pod. */
import type { Agent } from '../agents/agent.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';

export const VERSION = '0.8.4-bravo.1';

export function describeHealth(paired: boolean, agents: ReadonlyMap<string, Agent>): object {
  const now = new Date().toISOString();
  const tools = [...agents.values()].map(({ catalogue }) => catalogue.status);
  const worst = tools.find(({ status }) => status !== 'ok') ?? tools[0];
  return {
    status: 'ok',
    paired,
    require_pairing: true,
    runtime: {
      pid: process.pid,
      updated_at: now,
      uptime_seconds: Math.floor(process.uptime()),
      components: {
        gateway: { status: 'ok', last_ok: now, last_error: null, restart_count: 0 },
        mcp: {
          status: worst?.status ?? 'ok',
          last_ok: worst?.lastOk?.toISOString() ?? null,
          last_error: worst?.lastError ?? null,
          restart_count: 0,
        },
      },
    },
  };
}

export function describeStatus(agents: ReadonlyMap<string, Agent>, memoryBackend: string, paired: boolean): object {
  const [first] = agents.values();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    version: VERSION,
    provider: first?.config.model?.provider ?? null,
    model: first?.config.model?.name ?? null,
    memory_backend: memoryBackend,
    paired,
    agents: [...agents.keys()],
    uptime_seconds: Math.floor(process.uptime()),
    process: { pid: process.pid, rss_bytes: rss, heap_bytes: heapUsed },
  };
}

/** Prometheus text. */
export function describeMetrics(usage: UsageCounter): string {
  const { tokens, requests } = usage.totals;
  const counter = (name: string, help: string, value: number): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} counter\n${name} ${value}\n`;
  return (
    counter('agent_runtime_turns_total', 'Turns that were answered.', requests) +
    counter('agent_runtime_tokens_total', 'Tokens that models reported.', tokens) +
    `# HELP process_resident_memory_bytes Resident memory.\n# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${process.memoryUsage.rss()}\n`
  );
}
