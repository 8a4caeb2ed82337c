/** Wires what delegates need of the broker. */
import type { GrpcClient } from '@bravo/chassis';
import type { Outbox } from '@bravo/events';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import type { Jobs } from '../jobs/job.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import { createDelegateHost } from './delegate-host.client.ts';
import { createDelegateStore } from './delegate-store.prisma.ts';
import { endDelegateJobs } from './end-delegate-jobs.ts';
import { createOpenDelegates } from './open-delegates.ts';
import { reportDelegateHandler } from './report-delegate.grpc.ts';
import { createReportDelegate } from './report-store.prisma.ts';

export interface DelegationParts {
  readonly database: BrokerDatabase;
  readonly outbox: Outbox;
  readonly vault: ContentVault;
  readonly orchestrator: GrpcClient<typeof OrchestratorServiceService>;
  readonly jobs: Jobs;
  readonly sandbox: Sandbox;
  readonly newId: (prefix: 'cnv') => string;
}

export const createDelegation = ({ database, outbox, vault, orchestrator, jobs, sandbox, newId }: DelegationParts) => ({
  openDelegates: createOpenDelegates({
    store: createDelegateStore(database),
    host: createDelegateHost(orchestrator),
    newId: () => newId('cnv'),
  }),
  endJobs: (conversationId: string) => endDelegateJobs({ jobs, sandbox }, conversationId),
  handlers: reportDelegateHandler(createReportDelegate(database, outbox, vault)),
});
