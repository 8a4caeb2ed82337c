/** Makes a token for one pod, bound to nothing: until it is bound it can call no tool. Its life is bounded whatever is asked. */
import { newId } from '@bravo/chassis/reference';
import { Fault } from '@bravo/faults';
import { type Actor, actorName } from '../callers/actor.ts';
import { hashCredential, newCredential } from '../credentials/credential.ts';
import type { AgentTokenStore } from './agent-token-store.ts';

export interface MintedAgentToken {
  readonly tokenId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface MintAgentTokenParts {
  readonly agentTokens: AgentTokenStore;
  /** Default and upper bound of a token's life. */
  readonly maxTtlSeconds: number;
  readonly now: () => Date;
}

/** Expired rows are kept this long for whoever looks into an incident. */
const KEEP_EXPIRED_MS = 30 * 86_400_000;

export const createMintAgentToken =
  ({ agentTokens, maxTtlSeconds, now }: MintAgentTokenParts) =>
  async (actor: Actor, podId: string, ttlSeconds: number): Promise<MintedAgentToken> => {
    if (podId === '') throw new Fault('invalid_argument', 'pod_id is empty.', { meta: { field: 'pod_id' } });
    if (ttlSeconds < 0)
      throw new Fault('invalid_argument', 'ttl_seconds is negative.', { meta: { field: 'ttl_seconds' } });
    await agentTokens.deleteExpired(new Date(now().getTime() - KEEP_EXPIRED_MS));
    const token = newCredential('agent_token');
    const tokenId = newId('tok');
    const life = Math.min(ttlSeconds || maxTtlSeconds, maxTtlSeconds);
    const expiresAt = new Date(now().getTime() + life * 1000);
    await agentTokens.createAgentToken(
      { id: tokenId, tokenHash: hashCredential(token), podId, expiresAt },
      actorName(actor),
    );
    return { tokenId, token, expiresAt };
  };
