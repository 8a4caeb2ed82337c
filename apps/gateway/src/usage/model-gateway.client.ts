/** The model gateway's ledger over gRPC. */
import type { GrpcClient } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { TokenLedger } from './sum-usage.ts';

export type ModelsClient = GrpcClient<typeof ModelsServiceService>;

export const createTokenLedger = (client: ModelsClient): TokenLedger => ({
  listTokenUsage: async (subject, from, to) => (await client.listTokenUsage({ from, to }, { subject })).rows,
});
