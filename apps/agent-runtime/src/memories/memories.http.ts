/** `/api/memory`: what an agent was told to remember, for whoever holds the pod's token. */
import { readObject, requireText, type Route } from '../gateway/call.http.ts';
import { decode } from '../sessions/sessions.http.ts';
import type { MemoryStore } from './memory-store.ts';

const KEY_CHARACTERS = 256;

/** `memories` is undefined where memory is switched off. `defaultAgent` is whom an entry without an agent is for. */
export function memoryRoutes(memories: MemoryStore | undefined, defaultAgent: string): Route {
  return async ({ route, path, url, request }) => {
    if (path !== '/api/memory' && !path.startsWith('/api/memory/')) return undefined;
    if (!memories) return { status: 503, body: { error: 'Memory is switched off (memory.backend).' } };
    const asked = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
    if (route === 'GET /api/memory') {
      const [query, category, since, until, agent] = ['query', 'category', 'since', 'until', 'agent'].map(asked);
      return { status: 200, body: { entries: memories.find({ query, category, since, until, agent }) } };
    }
    if (route === 'POST /api/memory') {
      const body = await readObject(request);
      const text = (name: string, fallback: string): string =>
        body[name] === undefined ? fallback : requireText(body, name);
      memories.keep({
        key: requireText(body, 'key').slice(0, KEY_CHARACTERS),
        content: requireText(body, 'content'),
        category: text('category', 'core'),
        agent: text('agent', defaultAgent),
      });
      return { status: 200, body: { status: 'ok' } };
    }
    if (request.method === 'DELETE' && path !== '/api/memory') {
      const deleted = memories.forget(decode(path.slice('/api/memory/'.length)), asked('agent'));
      return { status: 200, body: { status: 'ok', deleted } };
    }
    return undefined;
  };
}
