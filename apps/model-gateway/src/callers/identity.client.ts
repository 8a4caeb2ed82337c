/**
 * What the model gateway asks of identity: whom an agent token speaks for, a workspace's plan and settings, and its sealed keys.
 *
 * Each answer is kept for less than a second, so a revoked token, a changed setting or a new key holds on the next call after
 * that; a failure of identity is never kept, and no failure lets anybody in. Tokens are kept as hashes only.
 */
import { createHash } from 'node:crypto';
import { BriefCache, createCredentialLookups, type GrpcClient } from '@bravo/chassis';
import { Fault, toFault } from '@bravo/faults';
import { mergeSettings } from '@bravo/policy';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { readContextTokens, readLimits } from '../quotas/limits.ts';
import { readProviders } from '../rosters/read-providers.client.ts';
import type { Workspaces } from '../workspaces/workspace-view.ts';
import type { AgentCaller, AuthenticateAgent } from './agent-caller.ts';

export type IdentityGrpc = Pick<
  GrpcClient<typeof IdentityServiceService>,
  'resolveAgentToken' | 'resolveFeatures' | 'resolveProviders' | 'listSettings' | 'revealSecret'
>;

interface Known {
  readonly caller: AgentCaller;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export const createAuthenticateAgent = (identity: IdentityGrpc, now: () => number): AuthenticateAgent => {
  const callers = new BriefCache<Known>();
  const lookups = createCredentialLookups();
  return async (authorization) => {
    const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new Fault('unauthenticated', 'Send the agent token as "Authorization: Bearer …".');
    const hash = createHash('sha256').update(token).digest('hex');
    const { caller, expiresAt } = await callers.get(hash, () =>
      lookups.look(hash, () => resolve(identity, token, now())),
    );
    if (!(expiresAt > now())) throw new Fault('unauthenticated', 'The agent token has expired.');
    return caller;
  };
};

async function resolve(identity: IdentityGrpc, token: string, now: number): Promise<Known> {
  const found = await identity.resolveAgentToken({ token });
  const expiresAt = found.expiresAt?.getTime() ?? 0;
  if (!(expiresAt > now)) throw new Fault('unauthenticated', 'The agent token has expired.');
  const { userId, workspaceId, conversationId, podId } = found;
  const rootConversationId = found.rootConversationId || conversationId;
  if (!found.bound)
    throw new Fault('token_unbound', 'The agent token is bound to no conversation yet, so no model answers it.');
  if (userId === '' || workspaceId === '' || conversationId === '')
    throw new Fault('unauthenticated', 'The agent token is bound to nobody.');
  return { caller: { userId, workspaceId, conversationId, podId, rootConversationId }, expiresAt };
}

export const createWorkspaces = (identity: IdentityGrpc): Workspaces => {
  const views = new BriefCache<Awaited<ReturnType<Workspaces['read']>>>();
  const secrets = new BriefCache<string | undefined>();
  return {
    read: ({ workspaceId, userId, conversationId }) =>
      views.get(JSON.stringify([workspaceId, userId, conversationId]), async () => {
        const asked = conversationId === '' ? { workspaceId, userId } : { workspaceId, userId, conversationId };
        const [{ plan }, resolved, { layers }] = await Promise.all([
          identity.resolveFeatures({ workspaceId }),
          identity.resolveProviders({ workspaceId, userId, conversationId }),
          identity.listSettings(asked),
        ]);
        const sources = layers.map(({ layer, documentJson }) => ({ layer, text: documentJson }));
        const { effective, ignored } = mergeSettings(sources, { whyUnreadable: () => undefined });
        // What of models and providers was written and does not hold, for whoever looks why; of a refused block identity tells.
        const refused = ignored.filter(
          ({ key, why }) => why !== 'refused-provider' && /^(provider\.|model$|fallbackModel$|env\.AWS_)/.test(key),
        );
        const providers = readProviders(resolved);
        return {
          plan,
          model: wordOf(effective['model']),
          fallbackModel: wordOf(effective['fallbackModel']),
          limits: readLimits(effective['limits']),
          contextTokens: readContextTokens(effective['limits']),
          providers: { ...providers, notes: [...refused.map(({ key, text }) => ({ key, text })), ...providers.notes] },
        };
      }),
    readSecret: (workspaceId, name) =>
      secrets.get(JSON.stringify([workspaceId, name]), async () => {
        if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) return undefined;
        try {
          return (await identity.revealSecret({ workspaceId, name })).value;
        } catch (error) {
          if (toFault(error).code === 'not_found') return undefined;
          throw error;
        }
      }),
  };
};

const wordOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
