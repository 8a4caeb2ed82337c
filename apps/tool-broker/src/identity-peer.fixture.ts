/** Identity as another process: a real gRPC server that keeps its contract, with state a spec can turn. For specs only. */
import { Fault } from '@bravo/faults';
import { permissionsOfRole } from '@bravo/policy';
import { IdentityServiceService } from '@bravo/proto/identity';
import { type KeptText, listKept } from './definitions/definitions.fixture.ts';
import { type Peer, serve } from './serve-peer.fixture.ts';

export interface TokenState {
  bound: boolean;
  userId: string;
  workspaceId: string;
  conversationId: string;
  revoked?: boolean;
}

export interface IdentityState {
  readonly tokens: Map<string, TokenState>;
  readonly roles: Map<string, string>;
  features: Record<string, boolean>;
  config: {
    enabled: boolean;
    allowedTools: string[];
    deniedTools: string[];
    requireApproval: string[];
    codeExecEnabled: boolean;
    maxConcurrent: number;
    maxDelegates: number;
  };
  /** Documents by `<layer>:<workspace>:<person>`, a place that does not belong to the layer empty. */
  readonly settings: Map<string, string>;
  /** Identity does not answer for settings. */
  hidesSettings: boolean;
  resolved: number;
  readonly definitions: KeptText[];
}

export const newIdentityState = (): IdentityState => ({
  tokens: new Map(),
  roles: new Map(),
  features: { bravo: true, code_exec: true },
  config: {
    enabled: true,
    allowedTools: [],
    deniedTools: [],
    requireApproval: ['execute_script'],
    codeExecEnabled: true,
    maxConcurrent: 3,
    maxDelegates: 8,
  },
  settings: new Map(),
  hidesSettings: false,
  resolved: 0,
  definitions: [],
});

export const startIdentityPeer = async (state: IdentityState, keysFile: string, port = 0): Promise<Peer> => {
  type Asked = Record<'workspaceId' | 'layer' | 'userId', string>;
  const documentOf = ({ workspaceId, layer, userId, conversationId }: Asked & { conversationId?: string }) => {
    if (state.hidesSettings) throw new Fault('unavailable', 'The settings cannot be read.');
    const key = `${layer}:${layer === 'platform' ? '' : workspaceId}:${conversationId ?? userId}`;
    const documentJson = state.settings.get(key);
    return { documentJson: documentJson ?? '{}', version: documentJson === undefined ? 0 : 1 };
  };
  const handlers = {
    resolveAgentToken: async ({ token }: { token: string }) => {
      state.resolved += 1;
      const found = state.tokens.get(token);
      if (found === undefined || found.revoked === true)
        throw new Fault('unauthenticated', 'The agent token is unknown, expired or revoked.');
      const common = { tokenId: `tok_${token.slice(-4)}`, podId: 'pod_1', expiresAt: new Date(Date.now() + 600_000) };
      const nobody = {
        userId: '',
        userName: '',
        workspaceId: '',
        workspaceSlug: '',
        conversationId: '',
        role: '',
        permissions: [],
      };
      if (!found.bound) return { ...common, bound: false, ...nobody };
      const role = state.roles.get(found.userId) ?? 'member';
      const { userId, workspaceId, conversationId } = found;
      return {
        ...common,
        bound: true,
        userId,
        userName: 'bob',
        workspaceId,
        workspaceSlug: 'acme',
        conversationId,
        role,
        permissions: [...permissionsOfRole(role)],
      };
    },
    resolveMember: async ({ workspaceId, userId }: { workspaceId: string; userId: string }) => {
      const role = state.roles.get(userId) ?? 'member';
      if (role === 'left') throw new Fault('not_found', 'There is no such member.');
      return {
        person: { id: userId, name: 'bob', displayName: 'Bob', email: '' },
        membership: {
          workspaceId,
          workspaceSlug: 'acme',
          workspaceName: 'Acme',
          role,
          permissions: [...permissionsOfRole(role)],
        },
      };
    },
    resolveFeatures: async () => ({
      plan: 'team',
      features: Object.entries(state.features).map(([name, enabled]) => ({ name, enabled, decidedBy: 'plan' })),
    }),
    listDefinitions: listKept(state),
    getAgentConfig: async () => ({ config: { ...state.config }, version: 1 }),
    getSettings: async (asked: Asked & { conversationId?: string }) => documentOf(asked),
    listSettings: async ({ workspaceId, userId }: { workspaceId: string; userId: string }) => ({
      layers: ['platform', 'workspace', 'user'].map((layer) => ({
        layer,
        ...documentOf({ workspaceId, layer, userId: layer === 'user' ? userId : '' }),
      })),
    }),
  };
  const access = {
    resolveAgentToken: ['broker'],
    resolveMember: ['broker'],
    resolveFeatures: ['broker'],
    getAgentConfig: ['broker'],
    getSettings: ['broker'],
    listSettings: ['broker'],
    listDefinitions: ['broker'],
  };
  return serve('identity', keysFile, port, (server) =>
    server.addService(IdentityServiceService, handlers as never, access as never),
  );
};
