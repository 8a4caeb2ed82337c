/** Wires the broker: stores over one database, steps over stores, edges over steps. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GrpcClient,
  type Handlers,
  HealthController,
  type Logger,
  newId,
  outgoingTraceparent,
  READINESS,
  type Readiness,
} from '@bravo/chassis';
import { type Bus, createOutbox, type OutboxRelay } from '@bravo/events';
import { lookUpTrust } from '@bravo/policy';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { type DynamicModule, Module } from '@nestjs/common';
import { createIdentity, type IdentityGrpc } from './access/identity.client.ts';
import { createAnswerSignal } from './approvals/answer-signal.ts';
import { approvalHandlers } from './approvals/approval.grpc.ts';
import { createApprovalStore } from './approvals/approval-store.prisma.ts';
import { makeRequestApproval } from './approvals/request-approval.ts';
import { makeResolveApproval } from './approvals/resolve-approval.ts';
import { conversationHandlers } from './conversations/conversation.grpc.ts';
import { createConversationStore } from './conversations/conversation-store.prisma.ts';
import { makeSnapshotConversation } from './conversations/snapshot-conversation.ts';
import { trustOfName } from './conversations/trust-of-names.ts';
import { type BrokerDatabase, SCHEMA } from './database/broker-database.prisma.ts';
import { firstPartyCatalogue } from './manifests/catalogue.ts';
import { makeValidateArguments } from './mcp/argument-validator.mcp.ts';
import type { ClientKind } from './mcp/client-kind.ts';
import { MCP_PARTS, McpController, type McpEndpointParts } from './mcp/mcp.http.ts';
import { makeOfferTools } from './mcp/offer-tools.ts';
import { createSandbox } from './sandbox/sandbox-runner.client.ts';
import { makeReadSlot } from './slots/read-slot.ts';
import { createSlotStore } from './slots/slot-store.prisma.ts';
import { type SweepSteps } from './sweeps/start-sweep.ts';
import { makeHandleMcpCall } from './tool-calls/call-tool.mcp.ts';
import { makeCallTool } from './tool-calls/call-tool.ts';
import { makeExecuteEffect } from './tool-calls/execute-effect.ts';
import { makeGatherFacts } from './tool-calls/gather-facts.ts';
import { makeLabelOutput } from './tool-calls/label-output.ts';
import { makeListToolCalls } from './tool-calls/list-tool-calls.ts';
import { makePublishToolCall } from './tool-calls/publish-tool-call.ts';
import { makeRecoverCalls } from './tool-calls/recover-calls.ts';
import { makeRejectArguments } from './tool-calls/reject-arguments.ts';
import { toolCallHandlers } from './tool-calls/tool-call.grpc.ts';
import { createToolCallLedger } from './tool-calls/tool-call-ledger.prisma.ts';
import { createToolCallViews } from './tool-calls/tool-call-views.prisma.ts';
import { EXECUTORS } from './tools/executors.ts';
import { makeListTools } from './tools/list-tools.ts';
import { createTurnNotices } from './turn-notices/turn-notices.prisma.ts';

export interface BrokerParts {
  readonly database: BrokerDatabase;
  readonly bus: Bus;
  readonly relay: Pick<OutboxRelay, 'nudge'>;
  readonly identity: IdentityGrpc;
  readonly workspaces: GrpcClient<typeof WorkspaceServiceService>;
  readonly sandbox: GrpcClient<typeof SandboxServiceService>;
  readonly logger: Logger;
  readonly settings: {
    readonly publicUrl: string;
    readonly mcpUrl: string;
    readonly approvalTtlSeconds: number;
    readonly holdSeconds: Readonly<Record<ClientKind, number>>;
    /** How long a sandbox that does not answer is asked again before an outcome is called unknown. */
    readonly effectPatienceMs: number;
  };
  readonly now: () => number;
}

export interface Broker {
  readonly handlers: Handlers<typeof BrokerServiceService>;
  readonly mcp: McpEndpointParts;
  readonly sweep: Pick<SweepSteps, 'steps' | 'onError'>;
  /** Gives every held call back to its client. */
  releaseHolds(): void;
}

export const createBroker = ({
  database,
  bus,
  relay,
  identity: identityGrpc,
  workspaces,
  sandbox: sandboxGrpc,
  logger,
  settings,
  now,
}: BrokerParts): Broker => {
  const catalogue = firstPartyCatalogue();
  const outbox = createOutbox({ schema: SCHEMA, producer: 'broker', traceparent: outgoingTraceparent });
  const identity = createIdentity(identityGrpc);
  const sandbox = createSandbox(workspaces, sandboxGrpc);
  const conversations = createConversationStore(database);
  const slots = createSlotStore(database);
  const approvals = createApprovalStore(database, outbox);
  const ledger = createToolCallLedger(database, outbox, newId('exe'));
  const signal = createAnswerSignal();
  const stopping = new AbortController();
  const stored = createTurnNotices(database, bus);
  // The record stands whether or not the stream can be told now; the sweep tells it later.
  const notices = {
    flush: async (conversationId: string): Promise<void> => {
      relay.nudge();
      await stored
        .flush(conversationId)
        .catch((error: unknown) =>
          logger.warn({ err: error, conversation: conversationId }, 'the turn stream could not be told; trying again'),
        );
    },
  };
  bus.listen('identity.invalidate.>', () => identity.forget());

  const tools = {
    sandbox,
    trustOf: async (conversationId: string, paths: readonly string[]) => {
      const map = await conversations.trustMap(conversationId);
      return paths.map((path) => lookUpTrust(map, path));
    },
    trustOfNames: async (conversationId: string, paths: readonly string[]) => {
      const map = await conversations.trustMap(conversationId);
      return paths.map((path) => trustOfName(map, path));
    },
    readSlot: async (conversationId: string, number: number) => {
      const slot = await slots.find(conversationId, number);
      if (slot === undefined) throw new Error(`the slot ${number} is gone`);
      return slot.content;
    },
  };
  const gatherFacts = makeGatherFacts({ identity, conversations, slots, sandbox, catalogue, now });
  const executeEffect = makeExecuteEffect({
    executors: EXECUTORS,
    catalogue,
    tools,
    ledger,
    now,
    sleep: (ms) => sleep(ms),
    patienceMs: settings.effectPatienceMs,
  });
  const labelOutput = makeLabelOutput(slots, catalogue);
  const publishToolCall = makePublishToolCall({ ledger, notices, signal });
  const requestApproval = makeRequestApproval({
    ...{ ledger, approvals, gatherFacts, notices, newId, now },
    approvalTtlMs: settings.approvalTtlSeconds * 1000,
    pause: signal.pause,
    stopping: stopping.signal,
  });
  const callTool = makeCallTool({ gatherFacts, requestApproval, executeEffect, labelOutput, publishToolCall });
  const recoverCalls = makeRecoverCalls({
    ...{ ledger, catalogue, executeEffect, labelOutput, publishToolCall, now },
    onError: (error, toolCallId) =>
      logger.error(
        { err: error, tool_call: toolCallId },
        'a call of a dead process could not be brought to its end yet',
      ),
  });
  const resolveApproval = makeResolveApproval({ approvals, identity, catalogue, notices, signal, now });

  return {
    handlers: {
      ...conversationHandlers(conversations, makeSnapshotConversation(identity, conversations), signal.wakeAll),
      ...approvalHandlers(approvals, resolveApproval),
      ...toolCallHandlers(
        makeListTools(identity, catalogue),
        makeListToolCalls(conversations, createToolCallViews(database, slots), approvals),
        makeReadSlot(conversations, slots),
      ),
    },
    mcp: {
      catalogue,
      offerTools: makeOfferTools(catalogue, conversations),
      handleCall: makeHandleMcpCall({
        callTool,
        rejectArguments: makeRejectArguments({ ledger, conversations, notices, newToolCallId: () => newId('tc') }),
        validateArguments: makeValidateArguments(catalogue),
        pageOf: (agent) =>
          `${settings.publicUrl.replace(/\/$/, '')}/#/${encodeURIComponent(agent.workspaceSlug)}/${encodeURIComponent(agent.conversationId)}`,
        onError: (error, tool) => {
          const reference = newId('ref');
          logger.error({ err: error, tool, reference }, 'tool call failed');
          return reference;
        },
      }),
      resolveAgent: identity.resolveAgentToken,
      holdMsOf: (kind) => settings.holdSeconds[kind] * 1000,
      mcpUrl: settings.mcpUrl,
      onError: (error) => logger.info({ err: error }, 'MCP request refused'),
    },
    sweep: {
      steps: {
        'expire questions': async () => {
          for (const conversationId of await approvals.expireDue(new Date(now()))) await notices.flush(conversationId);
        },
        'bring calls of dead processes to their end': recoverCalls,
        'ask for turns': () => approvals.continueAbandoned(new Date(now())),
        'tell the turn stream': () => stored.flushAll(),
      },
      onError: (step, error) => logger.warn({ err: error, step }, 'a step of the sweep failed; trying again'),
    },
    releaseHolds: () => {
      stopping.abort();
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
