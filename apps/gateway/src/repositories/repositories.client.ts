/** A conversation's settings file at the tool-broker, which keeps it as first seen. */
import type { BrokerClient } from '../tool-calls/tool-broker.client.ts';
import type { Repositories } from './repositories.ts';

export const createRepositories = (client: BrokerClient): Repositories => ({
  see: async (subject, conversationId) => toView(await client.getRepositorySettings({ conversationId }, { subject })),
  accept: async (subject, conversationId, rules) => {
    const { text: _, ...view } = toView(
      await client.acceptRepositoryRules({ conversationId, rules: [...rules] }, { subject }),
    );
    return view;
  },
});

const toView = (answer: {
  found: boolean;
  documentJson: string;
  trusted: boolean;
  accepted: string[];
  proposals: string[];
  refusedBecause: string;
}) => ({
  found: answer.found,
  document: answer.found ? (JSON.parse(answer.documentJson) as Record<string, never>) : null,
  text: answer.documentJson,
  trusted: answer.trusted,
  accepted: answer.accepted,
  proposals: answer.proposals,
  refused_because: answer.refusedBecause,
});
