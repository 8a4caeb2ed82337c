/** Replays the public-addresses suite through the library. Guarantees that an address given by itself is judged as an answer of a resolver would be. */
import { isPublicAddress, judgeHost, LITERAL_ADDRESSES_ALLOWED } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf } from './suite.ts';

export const publicAddressesSuite = suiteOf({
  name: 'public-addresses',
  rows: z
    .strictObject({
      ...toldFields,
      ip: z.string().optional(),
      host: z.string().optional(),
      resolves: z.array(z.string()).optional(),
      public: z.boolean(),
      literalAllowed: z.boolean(),
    })
    .refine((row) => (row.ip === undefined) !== (row.host === undefined), {
      error: 'a case has either ip or host',
      path: ['ip'],
    }),
  replay: ({ ip, host, resolves, public: isPublic, literalAllowed }) => ({
    expected: { public: isPublic, literalAllowed },
    actual: {
      public: host === undefined ? isPublicAddress(ip ?? '') : judgeHost(host, resolves).public,
      literalAllowed: LITERAL_ADDRESSES_ALLOWED,
    },
  }),
});
