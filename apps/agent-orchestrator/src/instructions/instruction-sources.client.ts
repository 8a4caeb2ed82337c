/** Identity and the broker, as sources of what the model is told. */
import type { GrpcClient } from '@bravo/chassis';
import { mergeSettings } from '@bravo/policy';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { InstructionSources } from './instruction-sources.ts';

const STATES = ['absent', 'trusted', 'untrusted'] as const;

export const createInstructionSources = (
  identity: Pick<GrpcClient<typeof IdentityServiceService>, 'resolveMember' | 'listSettings' | 'listDefinitions'>,
  broker: Pick<GrpcClient<typeof BrokerServiceService>, 'getRepositoryInstructions'>,
): InstructionSources => {
  const as = (workspaceId: string) => ({ subject: { userId: 'service:orchestrator', workspaceId } });
  return {
    person: async ({ workspaceId, userId }) => {
      const { person, membership } = await identity.resolveMember({ workspaceId, userId }, as(workspaceId));
      return {
        personName: person?.displayName || person?.name || userId,
        role: membership?.role ?? '',
        workspaceName: membership?.workspaceName ?? '',
      };
    },
    standing: async ({ workspaceId, userId }, conversationId) => {
      const { layers } = await identity.listSettings({ workspaceId, userId, conversationId }, as(workspaceId));
      const sources = layers.map(({ layer, documentJson }) => ({ layer, text: documentJson }));
      const options = { whyUnreadable: () => undefined };
      const inForce = mergeSettings(sources, options).origins.get('instructions') ?? [];
      return sources
        .filter(({ layer }) => inForce.includes(layer))
        .map((source) => {
          const { instructions } = mergeSettings([source], options).effective;
          return { layer: source.layer, text: typeof instructions === 'string' ? instructions : '' };
        });
    },
    skills: async ({ workspaceId, userId }) => {
      const { definitions } = await identity.listDefinitions(
        { workspaceId, userId, kind: 'skill', name: '' },
        as(workspaceId),
      );
      // The workspace's come first; a person's own of the same name is nearer.
      const byName = new Map(definitions.map(({ name, description }) => [name, { name, description }]));
      return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    file: async (subject, conversationId) => {
      const { state, text, bytes, refusedBecause } = await broker.getRepositoryInstructions(
        { conversationId },
        { subject },
      );
      return {
        state: STATES.find((known) => known === state) ?? 'refused',
        text,
        bytes: Number(bytes),
        why: refusedBecause,
      };
    },
  };
};
