/** Shapes the body of `/health` with ZeroClaw's keys; it says what is known and never turns a lost tool server into a dead pod. */
import type { ComponentStatus } from '../loop/tool-catalogue.ts';

export function describeHealth(paired: boolean, tools: ComponentStatus): object {
  const now = new Date().toISOString();
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
          status: tools.status,
          last_ok: tools.lastOk?.toISOString() ?? null,
          last_error: tools.lastError,
          restart_count: 0,
        },
      },
    },
  };
}
