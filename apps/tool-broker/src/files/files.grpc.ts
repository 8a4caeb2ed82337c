/** The files of a conversation on the wire, in the name of its person. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { PersonFiles } from './person-files.ts';

const count = (field: string, value: number): number => {
  if (value < 0) throw new Fault('invalid_argument', `${field} must not be negative.`, { meta: { field } });
  return value;
};

export const fileHandlers = (
  files: PersonFiles,
): Pick<
  Handlers<typeof BrokerServiceService>,
  'listConversationFiles' | 'readConversationFile' | 'writeConversationFile' | 'removeConversationFile'
> => ({
  listConversationFiles: async ({ conversationId, directory, depth, limit, after }, { principal }) => {
    const asked = { conversationId, directory, after, depth: count('depth', depth), limit: count('limit', limit) };
    const { files: page, more, letsRead } = await files.list(personOf(principal), asked);
    return { files: [...page], more, letsRead };
  },
  readConversationFile: async function* (asked, { principal }) {
    for await (const part of files.read(personOf(principal), asked)) {
      yield 'file' in part
        ? { part: { $case: 'file' as const, file: part.file } }
        : { part: { $case: 'content' as const, content: Buffer.from(part.content) } };
    }
  },
  writeConversationFile: async ({ letsRead, ...upload }, { principal }) =>
    files.write(personOf(principal), { ...upload, letsRead }),
  removeConversationFile: async (asked, { principal }) => {
    await files.remove(personOf(principal), asked);
    return {};
  },
});
