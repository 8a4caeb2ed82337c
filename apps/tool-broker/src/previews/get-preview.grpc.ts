/** What was drawn for a question, for the person it was drawn for. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { GetPreview } from './get-preview.ts';

export const getPreviewHandler = (
  getPreview: GetPreview,
): Pick<Handlers<typeof BrokerServiceService>, 'getPreview'> => ({
  getPreview: async ({ conversationId, toolCallId }, { principal }) => ({
    previewJson: await getPreview(personOf(principal), conversationId, toolCallId),
  }),
});
