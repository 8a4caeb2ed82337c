/** GetSealingKey, OpenContent and ErasePerson on the wire. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { AuditServiceService } from '@bravo/proto/audit';
import type { Contents } from './contents.ts';

type Wanted = Pick<Handlers<AuditServiceService>, 'getSealingKey' | 'openContent' | 'erasePerson'>;

export const contentHandlers = (contents: Contents): Wanted => ({
  getSealingKey: async ({ userId }, { principal }) => {
    const { workspaceId } = principal;
    if (workspaceId === '' || userId === '')
      throw new Fault('invalid_argument', 'The call names no workspace or no person.');
    return contents.sealingKey(workspaceId, userId);
  },
  openContent: async ({ toolCallId }, { principal }) => {
    const { input, output, erased } = await contents.open(principal, toolCallId);
    return { inputJson: input, outputJson: output, erased };
  },
  erasePerson: async ({ userId, reason }, { principal }) => ({
    keys: await contents.erase(principal, userId, reason.slice(0, 500)),
  }),
});
