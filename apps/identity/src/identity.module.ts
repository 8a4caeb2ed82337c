/** Wires identity: stores over one database, use cases over stores, handlers over use cases. */
import type { Handlers, Logger } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { agentConfigHandlers } from './agent-configs/agent-configs.grpc.ts';
import { createAgentConfigStore } from './agent-configs/agent-configs.prisma.ts';
import { createGetAgentConfig } from './agent-configs/get-agent-config.ts';
import { createPutAgentConfig } from './agent-configs/put-agent-config.ts';
import { agentTokenHandlers } from './agent-tokens/agent-tokens.grpc.ts';
import { createAgentTokenStore } from './agent-tokens/agent-tokens.prisma.ts';
import { createBindAgentToken } from './agent-tokens/bind-agent-token.ts';
import { createMintAgentToken } from './agent-tokens/mint-agent-token.ts';
import { createResolveAgentToken } from './agent-tokens/resolve-agent-token.ts';
import { createRevokeAgentToken } from './agent-tokens/revoke-agent-token.ts';
import { apiTokenHandlers } from './api-tokens/api-tokens.grpc.ts';
import { createApiTokenStore } from './api-tokens/api-tokens.prisma.ts';
import { createMintApiToken } from './api-tokens/mint-api-token.ts';
import { createRevokeApiToken } from './api-tokens/revoke-api-token.ts';
import { createAuthenticateCaller } from './callers/authenticate-caller.ts';
import { callerHandlers } from './callers/callers.grpc.ts';
import { createCallerStore } from './callers/callers.prisma.ts';
import { createDescribeCaller, createResolveCaller } from './callers/resolve-caller.ts';
import type { Database } from './databases/database.prisma.ts';
import { definitionHandlers } from './definitions/definitions.grpc.ts';
import { createDefinitionStore } from './definitions/definitions.prisma.ts';
import { createKeepDefinitions } from './definitions/keep-definitions.ts';
import { createEventLog } from './events/event-log.prisma.ts';
import { createFeatureOverrides } from './features/feature-overrides.ts';
import { createFeatureGate, createFeatureProvider } from './features/feature-provider.client.ts';
import { featureHandlers } from './features/features.grpc.ts';
import { createFeatureStore } from './features/features.prisma.ts';
import { createResolveFeatures } from './features/resolve-features.ts';
import { createInvalidation } from './invalidations/announce-invalidation.client.ts';
import { createListMembers } from './members/list-members.ts';
import { memberHandlers } from './members/members.grpc.ts';
import { createMemberStore } from './members/members.prisma.ts';
import { createResolveMember } from './members/resolve-member.ts';
import { createSetMemberRole } from './members/set-member-role.ts';
import { createPeopleStore } from './people/people.prisma.ts';
import { providerHandlers } from './providers/providers.grpc.ts';
import { createResolveProviders } from './providers/resolve-providers.ts';
import { createKeepSecrets } from './secrets/keep-secrets.ts';
import { createSealer } from './secrets/seal.ts';
import { secretHandlers } from './secrets/secrets.grpc.ts';
import { createSecretStore } from './secrets/secrets.prisma.ts';
import { createSeedDemo } from './seeds/seed-demo.ts';
import { createSeedStore } from './seeds/seeds.prisma.ts';
import { sessionHandlers } from './sessions/sessions.grpc.ts';
import { createSessionStore } from './sessions/sessions.prisma.ts';
import { createListLocalPeople, createSignIn } from './sessions/sign-in.ts';
import { createSignOut } from './sessions/sign-out.ts';
import { createEraseConversation } from './settings/erase-conversation.ts';
import { createGetSettings } from './settings/get-settings.ts';
import { createListSettings } from './settings/list-settings.ts';
import { createPutSettings } from './settings/put-settings.ts';
import { settingsHandlers } from './settings/settings.grpc.ts';
import { createSettingsStore } from './settings/settings.prisma.ts';

export interface IdentityParts {
  readonly database: Database;
  readonly bus: Pick<Bus, 'announce'>;
  readonly logger: Logger;
  readonly schema: string;
  readonly production: boolean;
  readonly sessionTtlSeconds: number;
  readonly agentTokenTtlSeconds: number;
  readonly instanceFeatures: readonly string[];
  readonly sealingKey: Uint8Array;
  readonly now: () => Date;
}

export interface Identity {
  readonly handlers: Handlers<typeof IdentityServiceService>;
  /** @returns whether the seed was applied now. @throws in production. */
  seedDemo(): Promise<boolean>;
}

export const createIdentity = async (parts: IdentityParts): Promise<Identity> => {
  const { database, bus, logger, production, sessionTtlSeconds, instanceFeatures, now } = parts;
  const events = createEventLog(parts.schema);
  const invalidation = createInvalidation(bus, logger);
  const people = createPeopleStore(database);
  const members = createMemberStore(database, events);
  const sessions = createSessionStore(database);
  const apiTokens = createApiTokenStore(database, events);
  const agentTokens = createAgentTokenStore(database, events);
  const agentConfigs = createAgentConfigStore(database, events);
  const settings = createSettingsStore(database, events);
  const features = createFeatureStore(database, events);
  const secrets = createSecretStore(database);
  const authenticate = createAuthenticateCaller({ callers: createCallerStore(database), now });
  const provider = createFeatureProvider({ features, instanceFeatures, now });
  const gate = await createFeatureGate(provider, `identity ${parts.schema}`);
  const sealer = createSealer(parts.sealingKey);

  return {
    handlers: {
      ...sessionHandlers({
        signIn: createSignIn({ people, sessions, production, sessionTtlSeconds, now }),
        signOut: createSignOut({ sessions, invalidation }),
        listLocalPeople: createListLocalPeople({ people, production }),
      }),
      ...callerHandlers({
        describeCaller: createDescribeCaller({ authenticate, people }),
        resolveCaller: createResolveCaller({ authenticate, people, members }),
      }),
      ...apiTokenHandlers({
        mintApiToken: createMintApiToken({ people, apiTokens, production, now }),
        revokeApiToken: createRevokeApiToken({ apiTokens, invalidation, now }),
      }),
      ...agentTokenHandlers({
        mintAgentToken: createMintAgentToken({ agentTokens, maxTtlSeconds: parts.agentTokenTtlSeconds, now }),
        bindAgentToken: createBindAgentToken({ agentTokens, members, invalidation, now }),
        revokeAgentToken: createRevokeAgentToken({ agentTokens, invalidation, now }),
        resolveAgentToken: createResolveAgentToken({ agentTokens, members, now }),
      }),
      ...memberHandlers({
        listMembers: createListMembers({ members }),
        setMemberRole: createSetMemberRole({ members, invalidation }),
        resolveMember: createResolveMember({ members }),
      }),
      ...featureHandlers({
        resolveFeatures: createResolveFeatures({ people, gate }),
        featureOverrides: createFeatureOverrides({ features, people, invalidation, now }),
      }),
      ...agentConfigHandlers({
        getAgentConfig: createGetAgentConfig({ agentConfigs }),
        putAgentConfig: createPutAgentConfig({ agentConfigs, members, invalidation }),
      }),
      ...settingsHandlers({
        getSettings: createGetSettings({ settings, members }),
        listSettings: createListSettings({ settings }),
        putSettings: createPutSettings({ settings, members, invalidation }),
        eraseConversation: createEraseConversation({ settings }),
      }),
      ...definitionHandlers(createKeepDefinitions({ definitions: createDefinitionStore(database, events), members })),
      ...providerHandlers({ resolveProviders: createResolveProviders({ settings, members, secrets }) }),
      ...secretHandlers({ secrets: createKeepSecrets({ secrets, members, people, sealer }) }),
    },
    seedDemo: createSeedDemo({ seeds: createSeedStore(database), production }),
  };
};
