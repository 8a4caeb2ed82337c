/** Whether a pod can work: it serves, and its agent has been given the platform's tools. A pod without tools is not ready. */
import type { Endpoint } from '@bravo/container-runtime';
import { AGENT_ALIAS } from './pod-spec.ts';

const TIMEOUT_MS = 3_000;
const TOOL_PREFIX = 'platform__';
const MAX_LIST_BYTES = 1024 * 1024;

export type ProbePod = (endpoint: Endpoint, secret: string, signal: AbortSignal) => Promise<boolean>;

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
