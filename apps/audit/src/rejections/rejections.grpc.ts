/** ListRejections and RetryRejection on the wire; the message itself stays inside. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import type { RetryRejections } from './rejections.ts';

type Wanted = Pick<Handlers<AuditServiceService>, 'listRejections' | 'retryRejection'>;

export const rejectionHandlers = (rejections: RetryRejections): Wanted => ({
  listRejections: async (_request, { principal }) => ({
    rejections: (await rejections.list(principal)).map(
      ({ id, subject, bodyDigest, reason, recordedAt, body, outcome }) => ({
        ...{ id, subject, bodyDigest, reason, recordedAt, outcome },
        kept: body !== '',
      }),
    ),
  }),
  retryRejection: async ({ id }, { principal }) => ({ outcome: await rejections.retry(principal, id) }),
});
