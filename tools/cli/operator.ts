/** The command line as a caller of the services: it signs as `operator` and can do only what their access tables give that name. */
import type { GrpcClient } from '@bravo/chassis/grpc-client';
import { createPrincipalSigner, type Subject } from '@bravo/chassis/principal';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import { resolveHome, type Home } from '../stack/home.ts';
import { serviceKeyFile } from '../stack/secrets.ts';
import { grpcPortName, httpPortName } from '../stack/service-catalogue.ts';
import { readState, supervisorIsAlive, type StackState } from '../stack/state-file.ts';
import { CommandError } from './command.ts';

export interface RunningStack {
  readonly home: Home;
  readonly state: StackState;
}

export const requireRunning = (environment: Readonly<Record<string, string | undefined>>): RunningStack => {
  const home = resolveHome(environment);
  const state = readState(home);
  if (!state || !supervisorIsAlive(state) || state.phase !== 'running') {
    throw new CommandError(`Bravo is not running from ${home.root}: start it with "./bravo up".`);
  }
  return { home, state };
};

export const httpUrl = ({ state }: RunningStack, app: string): string => `http://127.0.0.1:${state.ports[httpPortName(app)] ?? 0}`;

/**
 * Closes the client whatever `use` does. The contracts are loaded when they are needed: the first `up` generates them, and help
 * and every mistake must be told before.
 */
const withClient = async <S extends object, T>(
  stack: RunningStack,
  load: () => Promise<S>,
  app: string,
  audience: 'identity' | 'orchestrator' | 'sandbox' | 'models',
  use: (client: GrpcClient<S>) => Promise<T>,
): Promise<T> => {
  const { createGrpcClient } = await import('@bravo/chassis/grpc-client');
  const signer = await createPrincipalSigner('operator', serviceKeyFile(stack.home, 'operator'));
  const address = `127.0.0.1:${stack.state.ports[grpcPortName(app)] ?? 0}`;
  const client = createGrpcClient(await load(), { address, audience, signer });
  try {
    return await use(client);
  } finally {
    client.close();
  }
};

export const withIdentity = <T>(stack: RunningStack, use: (client: GrpcClient<typeof IdentityServiceService>) => Promise<T>) =>
  withClient(stack, async () => (await import('@bravo/proto/identity')).IdentityServiceService, 'identity', 'identity', use);

export const withOrchestrator = <T>(
  stack: RunningStack,
  use: (client: GrpcClient<typeof OrchestratorServiceService>) => Promise<T>,
) => withClient(stack, async () => (await import('@bravo/proto/orchestrator')).OrchestratorServiceService, 'agent-orchestrator', 'orchestrator', use);

export const withSandbox = <T>(stack: RunningStack, use: (client: GrpcClient<typeof SandboxServiceService>) => Promise<T>) =>
  withClient(stack, async () => (await import('@bravo/proto/sandbox')).SandboxServiceService, 'sandbox-runner', 'sandbox', use);

export const withModels = <T>(stack: RunningStack, use: (client: GrpcClient<typeof ModelsServiceService>) => Promise<T>) =>
  withClient(stack, async () => (await import('@bravo/proto/models')).ModelsServiceService, 'model-gateway', 'models', use);

export interface MintedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly workspace: string;
  readonly workspaceId: string;
  readonly userId: string;
}

/** An API token of a seeded person; identity refuses it in production, and so do we before asking. */
export const mintToken = async (
  stack: RunningStack,
  production: boolean,
  name: string,
  options: { workspace?: string | undefined; ttlSeconds: number; label: string },
): Promise<MintedToken> => {
  if (production) {
    throw new CommandError('In production nobody gets a token from the command line: make one on the page, signed in as its owner.');
  }
  const minted = await withIdentity(stack, (identity) =>
    identity.mintApiToken({
      userId: '',
      userName: name,
      workspaceSlug: options.workspace ?? '',
      label: options.label,
      scopes: [],
      ttlSeconds: options.ttlSeconds,
    }),
  );
  return {
    token: minted.token,
    tokenId: minted.tokenId,
    workspace: minted.workspaceSlug,
    workspaceId: minted.workspaceId,
    userId: minted.userId,
  };
};

export const revokeToken = async (stack: RunningStack, tokenId: string): Promise<void> => {
  await withIdentity(stack, (identity) => identity.revokeApiToken({ tokenId }));
};

/** The person as the orchestrator is to see them; the role is what the gateway finds for that person now. */
export const personSubject = async (stack: RunningStack, minted: MintedToken): Promise<Subject> => {
  const response = await fetch(`${httpUrl(stack, 'gateway')}/api/v1/me`, {
    headers: { authorization: `Bearer ${minted.token}` },
  });
  if (!response.ok) throw new CommandError(`The gateway does not know the person (HTTP ${response.status}).`);
  const me = (await response.json()) as {
    memberships?: { workspace_id: string; role: string; permissions: string[] }[];
    workspaces?: { id: string; role: string; permissions: string[] }[];
  };
  const membership =
    me.memberships?.find(({ workspace_id }) => workspace_id === minted.workspaceId) ??
    me.workspaces?.find(({ id }) => id === minted.workspaceId);
  if (membership === undefined) throw new CommandError('That person is no member of the workspace.');
  return {
    userId: minted.userId,
    workspaceId: minted.workspaceId,
    role: membership.role,
    permissions: [...membership.permissions, 'attach_agent'],
  };
};
