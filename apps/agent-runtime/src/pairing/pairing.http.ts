/** `/pair` and `/pair/code`: the only way in without a token, limited by address; `/admin` is for this machine alone. */
import { type Answer, type Call, isLoopback, type Route } from '../gateway/call.http.ts';
import { AttemptLimit } from './attempt-limit.ts';
import type { Pairing } from './pairing.ts';

export function pairingRoutes(pairing: Pairing, log: (message: string) => void): Route {
  const limit = new AttemptLimit({ perMinute: 10, failures: 5, lockoutMs: 300_000 });
  return (call) => {
    if (call.route === 'GET /pair/code') {
      const code = pairing.code ?? null;
      return { status: 200, body: { success: true, pairing_required: true, pairing_code: code } };
    }
    if (call.route === 'POST /pair') return pair(call, pairing, limit, log);
    if (!call.path.startsWith('/admin/')) return undefined;
    if (!isLoopback(call.address)) return { status: 403, body: { error: 'Admin routes answer this machine only.' } };
    return { status: 404, body: { error: 'not_found', message: 'There is no such route.', path: call.path } };
  };
}

function pair(
  { request, address }: Call,
  pairing: Pairing,
  limit: AttemptLimit,
  log: (message: string) => void,
): Answer {
  const wait = limit.attempt(address);
  if (wait > 0) return { status: 429, body: { error: 'Too many attempts to pair.', retry_after: wait } };
  try {
    const token = pairing.pair(String(request.headers['x-pairing-code'] ?? ''));
    if (token === undefined) {
      limit.fail(address);
      return { status: 403, body: { error: 'Invalid pairing code' } };
    }
    limit.succeed(address);
    return {
      status: 200,
      body: { paired: true, persisted: true, token, message: 'Keep this token; it is not shown again.' },
    };
  } catch (error) {
    log(`a pairing could not be written down: ${(error as Error).message}`);
    return {
      status: 500,
      body: { error: 'The pairing could not be written to config.toml; set gateway.paired_tokens instead.' },
    };
  }
}
