/** GetRepositorySettings and AcceptRepositoryRules on the wire, in the name of the conversation's person. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { ReadRepositoryInstructions } from './repository-instructions.ts';
import type { RepositoryUse, RepositoryView } from './accept-rules.ts';

export const repositoryHandlers = (
  use: RepositoryUse,
  readInstructions: ReadRepositoryInstructions,
): Pick<
  Handlers<typeof BrokerServiceService>,
  'getRepositorySettings' | 'acceptRepositoryRules' | 'getRepositoryInstructions'
> => ({
  getRepositorySettings: async ({ conversationId }, { principal }) =>
    toWire(await use.see(personOf(principal), conversationId)),
  getRepositoryInstructions: async ({ conversationId }, { principal }) => {
    const { state, text, bytes, why } = await readInstructions(personOf(principal), conversationId);
    return { state, text, bytes, refusedBecause: why };
  },
  acceptRepositoryRules: async ({ conversationId, rules }, { principal }) =>
    toWire(await use.accept(personOf(principal), conversationId, rules)),
});

const toWire = ({ text, accepted, proposals, ...view }: RepositoryView) => ({
  ...view,
  documentJson: text,
  accepted: [...accepted],
  proposals: [...proposals],
});
