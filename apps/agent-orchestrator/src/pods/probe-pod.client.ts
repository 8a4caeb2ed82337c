/** Asks a pod over HTTP whether it is ready; its answers are an untrusted program's and are read as such. */
import { AGENT_ALIAS } from './pod-spec.ts';
import type { ProbePod } from './probe-pod.ts';

const TIMEOUT_MS = 3_000;
const TOOL_PREFIX = 'platform__';
const MAX_LIST_BYTES = 1024 * 1024;

export const probePod: ProbePod = async ({ host, port }, secret, signal) => {
  const get = (path: string, headers: Record<string, string>) =>
    fetch(`http://${host}:${port}${path}`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  try {
    const health = await get('/health', {});
    await health.body?.cancel();
    if (!health.ok) return false;
    const answer = await get(`/api/tools?agent=${AGENT_ALIAS}`, { authorization: `Bearer ${secret}` });
    if (!answer.ok || Number(answer.headers.get('content-length') ?? 0) > MAX_LIST_BYTES) return false;
    const { tools } = (await answer.json()) as { tools?: { name?: unknown }[] };
    return Array.isArray(tools) && tools.some(({ name }) => typeof name === 'string' && name.startsWith(TOOL_PREFIX));
  } catch {
    return false;
  }
};
