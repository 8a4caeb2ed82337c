/**
 * Asks identity whom an agent token speaks for, and keeps the answer for less than a second.
 *
 * A revoked token is refused on the next call after that; a failure is never kept, and no failure lets anybody in.
 * The token itself is not kept, only its hash.
 */
import { createHash } from 'node:crypto';
import type { GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { AgentCaller, AuthenticateAgent } from './agent-caller.ts';

export type IdentityGrpc = Pick<GrpcClient<typeof IdentityServiceService>, 'resolveAgentToken'>;

interface Known {
  readonly caller: AgentCaller;
  readonly until: number;
}

/** Counted from before the question, so that no answer is ever used a second after identity read it. */
const KEEP_MS = 800;
const CAPACITY = 5_000;

export const createAuthenticateAgent = (identity: IdentityGrpc, now: () => number): AuthenticateAgent => {
  const known = new Map<string, Known>();
  return async (authorization) => {
    const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new Fault('unauthenticated', 'Send the agent token as "Authorization: Bearer …".');
    const hash = createHash('sha256').update(token).digest('hex');
    const asked = now();
    const found = known.get(hash);
    if (found && found.until > asked) return found.caller;
    known.delete(hash);
    const { caller, expiresAt } = await resolve(identity, token, asked);
    if (known.size >= CAPACITY) known.delete(known.keys().next().value ?? '');
    known.set(hash, { caller, until: Math.min(asked + KEEP_MS, expiresAt) });
    return caller;
  };
};

async function resolve(
  identity: IdentityGrpc,
  token: string,
  now: number,
): Promise<{ caller: AgentCaller; expiresAt: number }> {
  const found = await identity.resolveAgentToken({ token });
  const expiresAt = found.expiresAt?.getTime() ?? 0;
  if (!(expiresAt > now)) throw new Fault('unauthenticated', 'The agent token has expired.');
  const { userId, workspaceId, conversationId, podId } = found;
  if (!found.bound)
    throw new Fault('token_unbound', 'The agent token is bound to no conversation yet, so no model answers it.');
  if (userId === '' || workspaceId === '' || conversationId === '')
    throw new Fault('unauthenticated', 'The agent token is bound to nobody.');
  return { caller: { userId, workspaceId, conversationId, podId }, expiresAt };
}
