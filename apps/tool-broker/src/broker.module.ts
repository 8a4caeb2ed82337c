/** Wires the broker: stores over one database, steps over stores, edges over steps. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  currentTrace,
  type GrpcClient,
  type Handlers,
  HealthController,
  type Logger,
  measure,
  newId,
  outgoingTraceparent,
  READINESS,
  type Readiness,
} from '@bravo/chassis';
import { type Bus, createOutbox, type OutboxRelay } from '@bravo/events';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { type DynamicModule, Module } from '@nestjs/common';
import { createIdentity, type IdentityGrpc } from './access/identity.client.ts';
import { createAnswerStore } from './answers/answer-store.prisma.ts';
import { createAnswerSignal } from './approvals/answer-signal.ts';
import { createApprovalStore } from './approvals/approval-store.prisma.ts';
import { listApprovalsHandler } from './approvals/list-approvals.grpc.ts';
import { createRequestApproval, POLL_MS } from './approvals/request-approval.ts';
import { withdrawQuestionsHandler } from './approvals/withdraw-questions.grpc.ts';
import { resolveApprovalHandler } from './approvals/resolve-approval.grpc.ts';
import { createResolveApproval } from './approvals/resolve-approval.ts';
import { createConversationStore } from './conversations/conversation-store.prisma.ts';
import { eraseConversationHandler } from './conversations/erase-conversation.grpc.ts';
import { setConversationModeHandler } from './conversations/set-conversation-mode.grpc.ts';
import { snapshotConversationHandler } from './conversations/snapshot-conversation.grpc.ts';
import { createSnapshotConversation } from './conversations/snapshot-conversation.ts';
import { createCredentialAnswers } from './credentials/credential-answers.prisma.ts';
import { createHoldCredentials } from './credentials/hold-credentials.ts';
import { createScanner } from './credentials/secretlint/create-scanner.ts';
import { createAcceptedDefinitions } from './definitions/accepted-definitions.prisma.ts';
import { createDelegation } from './delegates/delegation.module.ts';
import { createRootOf } from './delegates/root-of.prisma.ts';
import { shareFiles } from './delegates/share-files.ts';
import { explainCallHandler } from './explanations/explain-call.grpc.ts';
import { createExplainCall } from './explanations/explain-call.ts';
import { type BrokerDatabase, SCHEMA } from './databases/broker-database.prisma.ts';
import { createFileHandlers } from './files/files.module.ts';
import { createFileRecords } from './files/file-records.prisma.ts';
import { createAnswerStepUp } from './grants/answer-step-up.ts';
import { createCreateGrant } from './grants/create-grant.ts';
import { createGrantStore } from './grants/grant-store.prisma.ts';
import { grantHandlers } from './grants/grants.grpc.ts';
import { createStepUps } from './grants/step-up-store.prisma.ts';
import { createFollowJobs } from './jobs/follow-jobs.ts';
import { createJobStore } from './jobs/job-store.prisma.ts';
import { firstPartyCatalogue } from './manifests/catalogue.ts';
import { createValidateArguments } from './mcp/argument-validator.mcp.ts';
import type { ClientKind } from './mcp/client-kind.ts';
import { MCP_PARTS, McpController, type McpEndpointParts } from './mcp/mcp.http.ts';
import { createOfferTools } from './mcp/offer-tools.ts';
import { createGetPreview } from './previews/get-preview.ts';
import { getPreviewHandler } from './previews/get-preview.grpc.ts';
import { createPrepareQuestion } from './previews/prepare-question.ts';
import { createIsolatedModels } from './processors/isolated-models.client.ts';
import type { FetchHop } from './pages/fetch-hop.ts';
import { createRepositoryUse } from './repositories/accept-rules.ts';
import { repositoryHandlers } from './repositories/repositories.grpc.ts';
import { createReadRepositoryInstructions } from './repositories/repository-instructions.ts';
import { createFindRepository } from './repositories/repository-settings.ts';
import { createReadLayers } from './rules/layers-of-now.ts';
import { createRulesOf } from './rules/stored-layers.ts';
import { createProgramsUnavailable, createSandbox } from './sandbox/sandbox-runner.client.ts';
import { readSlotHandler } from './slots/read-slot.grpc.ts';
import { createReadSlot } from './slots/read-slot.ts';
import type { ContentVault } from './slots/content-vault.ts';
import { createSlotStore } from './slots/slot-store.prisma.ts';
import { createIsOfferedInTurn } from './schedules/offer-in-turn.ts';
import { openSchedules, wireSchedules } from './schedules/schedules.module.ts';
import { type SweepSteps } from './sweeps/start-sweep.ts';
import { createHandleMcpCall } from './tool-calls/call-tool.mcp.ts';
import { createAnswerRead } from './tool-calls/answer-read.ts';
import { createCallTool } from './tool-calls/call-tool.ts';
import { createExecuteEffect } from './tool-calls/execute-effect.ts';
import { createGatherFacts, type FactSources } from './tool-calls/gather-facts.ts';
import { createLabelOutput } from './tool-calls/label-output.ts';
import { listToolCallsHandler } from './tool-calls/list-tool-calls.grpc.ts';
import { createListToolCalls } from './tool-calls/list-tool-calls.ts';
import { createLiveEffects } from './tool-calls/live-effects.ts';
import { createLookAhead } from './tool-calls/look-ahead.ts';
import { createPublishToolCall } from './tool-calls/publish-tool-call.ts';
import { createRecordDecision } from './tool-calls/record-decision.ts';
import { createRecoverCalls } from './tool-calls/recover-calls.ts';
import { createRejectArguments } from './tool-calls/reject-arguments.ts';
import { createToolCallLedger } from './tool-calls/tool-call-ledger.prisma.ts';
import { createToolCallViews } from './tool-calls/tool-call-views.prisma.ts';
import { DRAWERS } from './tools/drawers.ts';
import { createEffectTools } from './tools/effect-tools.ts';
import { checkExecutors, EXECUTORS } from './tools/executors.ts';
import { listToolsHandler } from './tools/list-tools.grpc.ts';
import { createListTools } from './tools/list-tools.ts';
import type { ContentSealer } from './trails/content-sealer.ts';
import type { TrailGate } from './trails/trail-gate.ts';
import { createTrustOffer } from './trust-offers/trust-offer.ts';
import { trustOfferHandlers } from './trust-offers/trust-offers.grpc.ts';
import { createTrustOffers } from './trust-offers/trust-offers.prisma.ts';
import { createLanguages } from './language-servers/languages.module.ts';
import type { LanguageTable } from './language-servers/language-table.ts';
import { createTurnNotices } from './turn-notices/turn-notices.prisma.ts';
import type { FreshNotices } from './turn-notices/turn-notices.ts';

export interface BrokerParts {
  readonly database: BrokerDatabase;
  readonly bus: Bus;
  readonly relay: Pick<OutboxRelay, 'nudge'>;
  readonly trailGate: Pick<TrailGate, 'requireOpen'>;
  readonly seal: ContentSealer;
  readonly vault: ContentVault;
  readonly identity: IdentityGrpc;
  readonly workspaces: GrpcClient<typeof WorkspaceServiceService>;
  readonly sandbox: GrpcClient<typeof SandboxServiceService>;
  readonly models: GrpcClient<typeof ModelsServiceService>;
  readonly orchestrator: GrpcClient<typeof OrchestratorServiceService>;
  /** The way outside of `fetch_url`. */
  readonly fetchHop: FetchHop;
  readonly logger: Logger;
  readonly settings: {
    readonly publicUrl: string;
    readonly mcpUrl: string;
    readonly approvalTtlSeconds: number;
    readonly holdSeconds: Readonly<Record<ClientKind, number>>;
    /** How long a sandbox that does not answer is asked again before an outcome is called unknown. */
    readonly effectPatienceMs: number;
    /** Absent: the built-in servers. */
    readonly languages?: LanguageTable;
  };
  readonly now: () => number;
  /** Puts another reader in the place of one that gathers facts. Only a spec does, to show what that reader is there for. */
  readonly replaceReaders?: (readers: FactSources) => FactSources;
}

export interface Broker {
  readonly handlers: Handlers<typeof BrokerServiceService>;
  readonly mcp: McpEndpointParts;
  readonly sweep: Pick<SweepSteps, 'steps' | 'onError'>;
  /** Apart from it: a file that is slow to look at delays no answer. */
  readonly scheduleSweep: Pick<SweepSteps, 'steps' | 'onError'>;
  /** Gives every held call back to its client. */
  releaseHolds(): void;
}

export const createBroker = ({
  database,
  bus,
  relay,
  trailGate,
  seal,
  vault,
  identity: identityGrpc,
  workspaces,
  sandbox: sandboxGrpc,
  models,
  orchestrator,
  fetchHop,
  logger,
  settings,
  now,
  replaceReaders = (readers) => readers,
}: BrokerParts): Broker => {
  const catalogue = firstPartyCatalogue();
  const outbox = createOutbox({ schema: SCHEMA, producer: 'broker', traceparent: outgoingTraceparent });
  const identity = createIdentity(identityGrpc);
  const sandbox = shareFiles(createSandbox(workspaces, sandboxGrpc), createRootOf(database));
  const conversations = createConversationStore(database, outbox);
  const slots = createSlotStore(database, vault);
  const jobs = createJobStore(database, outbox);
  const answers = createAnswerStore(database, vault);
  const schedules = openSchedules(database, outbox);
  const delegation = createDelegation({ database, outbox, vault, orchestrator, jobs, sandbox, newId });
  const approvals = createApprovalStore(database, outbox, vault);
  const ledger = createToolCallLedger(database, outbox, newId('exe'), seal, vault);
  const signal = createAnswerSignal();
  const stopping = new AbortController();
  const stored = createTurnNotices(database, bus);
  // The record stands whether or not the stream can be told now; the sweep tells it later.
  const notices = {
    tell: async (conversationId: string, fresh?: FreshNotices): Promise<void> => {
      relay.nudge();
      const told = fresh === undefined ? stored.flush(conversationId) : stored.publish(conversationId, fresh);
      await told.catch((error: unknown) =>
        logger.warn({ err: error, conversation: conversationId }, 'the turn stream could not be told; trying again'),
      );
    },
  };
  bus.listen('identity.invalidate.>', () => identity.forget());

  const rulesOf = createRulesOf();
  const languages = createLanguages({ database, sandbox: sandboxGrpc, table: settings.languages });
  const findRepository = createFindRepository({ sandbox, conversations }, true);
  const isolated = createIsolatedModels(models);
  const tools = createEffectTools({
    ...{ conversations, slots, jobs, answers, languages, schedules, identity, rulesOf, sandbox, fetchHop },
    models: isolated,
    acceptedDefinitions: createAcceptedDefinitions(database, outbox),
    openDelegates: delegation.openDelegates,
  });
  const credentials = createScanner();
  const credentialAnswers = createCredentialAnswers(database, vault);
  const grants = createGrantStore(database, outbox);
  const readers: FactSources = {
    ...{ identity, conversations, slots, sandbox, catalogue, rulesOf, grants, answers, languages, credentials, now },
    readLayers: createReadLayers({ identity, findRepository }),
    isOfferedInTurn: createIsOfferedInTurn(schedules),
  };
  const facts = replaceReaders(readers);
  const peeks = createReadLayers({ identity, findRepository: createFindRepository({ sandbox, conversations }, false) });
  const gatherFacts = createGatherFacts(facts);
  const validateArguments = createValidateArguments(catalogue);
  const live = createLiveEffects({
    stopping: stopping.signal,
    isAwaitedElsewhere: async (approvalId) => {
      // Whoever still waits in another process takes the hold up again at its next look.
      await approvals.release(approvalId);
      await sleep(3 * POLL_MS);
      return (await approvals.find(approvalId))?.heldAt !== undefined;
    },
  });
  const executeEffect = createExecuteEffect({
    executors: checkExecutors(catalogue, EXECUTORS),
    catalogue,
    tools,
    ledger,
    now,
    sleep: (ms) => sleep(ms),
    patienceMs: settings.effectPatienceMs,
  });
  const labelOutput = createLabelOutput(slots, catalogue, createHoldCredentials(credentials, credentialAnswers));
  const publishToolCall = createPublishToolCall({ ledger, notices, signal });
  const prepareQuestion = createPrepareQuestion({ ledger, drawers: DRAWERS, tools, credentials: credentialAnswers });
  const requestApproval = createRequestApproval({
    ...{ ledger, approvals, prepareQuestion, gatherFacts, notices, live, newId, now },
    approvalTtlMs: settings.approvalTtlSeconds * 1000,
    pause: signal.pause,
    stopping: stopping.signal,
  });
  const recordDecision = createRecordDecision({ ledger, notices, newToolCallId: () => newId('tc') });
  const answerRead = createAnswerRead({
    ...{ ledger, executeEffect, labelOutput, publishToolCall, notices, live },
    newToolCallId: () => newId('tc'),
  });
  const callTool = createCallTool({
    ...{ gatherFacts, answerRead, recordDecision, requestApproval, executeEffect, labelOutput, publishToolCall, live },
    lookAhead: createLookAhead({ ledger, executeEffect, labelOutput, newToolCallId: () => newId('tc') }),
    requireTrail: () => trailGate.requireOpen(),
  });
  const recoverCalls = createRecoverCalls({
    ...{ ledger, catalogue, executeEffect, labelOutput, publishToolCall, live, now },
    onError: (error, toolCallId) =>
      logger.error(
        { err: error, tool_call: toolCallId },
        'a call of a dead process could not be brought to its end yet',
      ),
  });
  const newGrantId = () => newId('grt');
  const resolveApproval = createResolveApproval({ approvals, identity, catalogue, notices, signal, now, newGrantId });
  const createGrant = createCreateGrant({
    ...{ grants, conversations, identity, catalogue, newGrantId },
    reach: { slots, sandbox, isReadDenied: ({ conversationId }, paths) => tools.isReadDenied(conversationId, paths) },
  });
  const answerStepUp = createAnswerStepUp({
    stepUps: createStepUps(database, outbox),
    ...{ identity, catalogue, newGrantId },
    nudge: () => relay.nudge(),
  });

  const scheduled = wireSchedules({
    ...{ schedules, conversations, identity, sandbox, isolated, models, logger },
    isReadDenied: tools.isReadDenied,
    tell: notices.tell,
  });

  measure('bravo_approvals_waiting', 'Questions that wait for a person.', [], async () => [
    { value: await approvals.countPending() },
  ]);

  return {
    handlers: {
      ...snapshotConversationHandler(createSnapshotConversation(identity, conversations)),
      ...setConversationModeHandler(conversations),
      ...eraseConversationHandler(conversations, sandbox, signal.wakeAll, delegation.endJobs),
      ...delegation.handlers,
      ...listToolsHandler(createListTools(identity, catalogue, createProgramsUnavailable(sandboxGrpc))),
      ...listToolCallsHandler(createListToolCalls(conversations, createToolCallViews(database, slots), approvals)),
      ...withdrawQuestionsHandler(approvals, notices),
      ...listApprovalsHandler(approvals),
      ...getPreviewHandler(createGetPreview(approvals)),
      ...resolveApprovalHandler(resolveApproval),
      ...explainCallHandler(createExplainCall(replaceReaders({ ...readers, readLayers: peeks })), validateArguments),
      ...grantHandlers({ createGrant, answerStepUp, grants, conversations, now }),
      ...repositoryHandlers(
        createRepositoryUse({ conversations, identity, findRepository }),
        createReadRepositoryInstructions({ conversations, identity, sandbox }),
      ),
      ...createFileHandlers({
        ...{ conversations, identity, sandbox },
        records: createFileRecords(database, outbox, () => relay.nudge()),
      }),
      ...trustOfferHandlers(
        createTrustOffer({
          ...{ conversations, slots, identity, tools, now },
          offers: createTrustOffers(database, outbox),
          nudge: () => relay.nudge(),
        }),
      ),
      ...readSlotHandler(createReadSlot(conversations, slots)),
      ...scheduled.handlers,
    },
    mcp: {
      catalogue,
      offerTools: createOfferTools(catalogue, conversations),
      handleCall: createHandleMcpCall({
        callTool,
        rejectArguments: createRejectArguments({
          ...{ ledger, conversations, notices, credentials },
          newToolCallId: () => newId('tc'),
        }),
        validateArguments,
        pageOf: (agent) =>
          `${settings.publicUrl.replace(/\/$/, '')}/#/${encodeURIComponent(agent.workspaceSlug)}/${encodeURIComponent(agent.conversationId)}`,
        onError: (error, tool) => {
          const reference = newId('ref');
          logger.error({ err: error, tool, reference }, 'tool call failed');
          const trace = currentTrace();
          return trace ? `${reference}, trace ${trace.traceId}` : reference;
        },
      }),
      resolveAgent: identity.resolveAgentToken,
      holdMsOf: (kind) => settings.holdSeconds[kind] * 1000,
      mcpUrl: settings.mcpUrl,
      onError: (error) => logger.info({ err: error }, 'MCP request refused'),
    },
    scheduleSweep: scheduled.sweep,
    sweep: {
      steps: {
        'expire questions': async () => {
          for (const conversationId of await approvals.expireDue(new Date(now()))) await notices.tell(conversationId);
        },
        'bring calls of dead processes to their end': recoverCalls,
        'ask for turns': () => approvals.continueAbandoned(new Date(now())),
        'settle ended jobs': createFollowJobs({
          ...{ jobs, sandbox },
          onError: (error, job) => logger.warn({ err: error, job }, 'a job cannot be looked at; trying again'),
        }),
        'tell the turn stream': () => stored.flushAll(),
      },
      onError: (step, error) => logger.warn({ err: error, step }, 'a step of the sweep failed; trying again'),
    },
    releaseHolds: () => {
      void credentials.stop();
      stopping.abort();
      void languages.close();
      signal.wakeAll();
    },
  };
};

@Module({})
export class BrokerModule {
  static with(mcp: McpEndpointParts, readiness: Readiness): DynamicModule {
    return {
      module: BrokerModule,
      controllers: [HealthController, McpController],
      providers: [
        { provide: MCP_PARTS, useValue: mcp },
        { provide: READINESS, useValue: readiness },
      ],
    };
  }
}
