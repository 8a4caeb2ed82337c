/** Wires the orchestrator: stores over one database, use cases over stores, handlers over use cases, and what runs by itself. */
import {
  type Handlers,
  type Logger,
  measure,
  measureConsumerLag,
  measureOutboxLag,
  newId,
  outgoingTraceparent,
  startRounds,
} from '@bravo/chassis';
import type { ContainerRuntime } from '@bravo/container-runtime';
import { type Bus, createOutbox, startOutboxRelay } from '@bravo/events';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { Identity } from './access/identity.ts';
import { createAttachAgent } from './attachments/attach-agent.ts';
import { attachmentHandlers } from './attachments/attach-agent.grpc.ts';
import { createCompactConversation } from './contexts/compact-conversation.ts';
import type { Models } from './contexts/models.ts';
import { createRecall } from './contexts/recall.ts';
import { createSummaryStore } from './contexts/summaries.prisma.ts';
import type { Broker } from './conversations/broker.ts';
import { conversationHandlers } from './conversations/conversations.grpc.ts';
import { createConversationStore } from './conversations/conversations.prisma.ts';
import { createCreateConversation } from './conversations/create-conversation.ts';
import { createEndConversation } from './conversations/end-conversation.ts';
import { createListConversations } from './conversations/list-conversations.ts';
import { createReadConversation } from './conversations/read-conversation.ts';
import { createSetMode } from './conversations/set-mode.ts';
import type { Database } from './databases/database.prisma.ts';
import { createDelegateStore } from './delegates/delegates.prisma.ts';
import { delegateHandlers } from './delegates/delegates.grpc.ts';
import { createOpenDelegates } from './delegates/open-delegates.ts';
import { createSettleDelegates } from './delegates/settle-delegates.ts';
import { createStopDelegates } from './delegates/stop-delegates.ts';
import { createTellDelegates } from './delegates/tell-delegates.ts';
import { instructionHandlers } from './instructions/get-instructions.grpc.ts';
import type { InstructionSources } from './instructions/instruction-sources.ts';
import { createInstructionStore } from './instructions/instructions.prisma.ts';
import { createReadInstructions } from './instructions/read-instructions.ts';
import { createTellInstructions } from './instructions/tell-instructions.ts';
import { createLeaseKeeper } from './leases/keep-leases.ts';
import { createLeaseStore } from './leases/leases.prisma.ts';
import { createEnsureAgentPod } from './pods/ensure-agent-pod.ts';
import { describePodsHandler } from './pods/describe-pods.grpc.ts';
import { PodKeeper } from './pods/pod-keeper.ts';
import { probePod } from './pods/probe-pod.client.ts';
import type { PodPrograms } from './pods/pod-spec.ts';
import { createMakePlace } from './pods/make-place.ts';
import { createPodStore } from './pods/pods.prisma.ts';
import { recyclePods } from './pods/recycle-pods.ts';
import { createStartPod } from './pods/start-pod.ts';
import { startWarmPool } from './pods/warm-pool.ts';
import { createOpenTurn, createTellEnds, type Schedules } from './schedules/schedules.ts';
import { createUntoldTurns } from './schedules/untold-turns.prisma.ts';
import { createTurnStream } from './turn-streams/turn-stream.client.ts';
import { createCancelTurn, createStopTurns } from './turns/cancel-turn.ts';
import { ConversationDriver } from './turns/conversation-driver.ts';
import { openPodChat } from './turns/pod-chat.client.ts';
import { createPublishEnds } from './turns/publish-ends.ts';
import { createQueueTurn } from './turns/queue-turn.ts';
import { createRunTurn } from './turns/run-turn.ts';
import { turnHandlers } from './turns/run-turn.grpc.ts';
import { createTurnStore } from './turns/turns.prisma.ts';
import { watchTurns } from './turns/watch-turns.ts';
import { createListContainerUsage } from './usage/list-container-usage.ts';
import { usageHandlers } from './usage/list-container-usage.grpc.ts';
import { createTakeWork } from './work/take-work.ts';
import { consumeWork } from './work/take-work.consumer.ts';

export interface OrchestratorParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly schema: string;
  readonly identity: Identity;
  readonly broker: Broker;
  readonly schedules: Schedules;
  readonly models: Models;
  readonly instructionSources: InstructionSources;
  /** Its owner is this instance's name in leases and pods. */
  readonly runtime: ContainerRuntime;
  readonly programs: PodPrograms;
  readonly production: boolean;
  readonly warmPods: number;
  readonly idleSeconds: number;
  readonly leaseSeconds: number;
  readonly turnSeconds: number;
  /** How often what dead instances left is looked for; they may die while this one lives where there are several. */
  readonly sweepSeconds?: number;
}

export interface Orchestrator {
  readonly handlers: Handlers<typeof OrchestratorServiceService>;
  /** Ends running turns as interrupted, their pods, and everything that runs by itself. */
  stop(): Promise<void>;
}

/** Upper bound of an agent token's life; every end of a pod or a conversation comes before it (D26). */
const TOKEN_TTL_SECONDS = 12 * 3_600;
const ATTACHED_TOKEN_TTL_SECONDS = 8 * 3_600;
const POD_READY_MS = 30_000;
const TURN_ROUND_MS = 500;
const POD_ROUND_MS = 1_000;
/** A pod that gives way has about two rounds for it. */
const GIVE_WAY_MS = 4_000;

export const createOrchestrator = async (parts: OrchestratorParts): Promise<Orchestrator> => {
  const { database, bus, logger, schema, identity, broker, schedules, models, runtime, leaseSeconds } = parts;
  const holder = runtime.owner;
  const turnMs = parts.turnSeconds * 1000;
  const log = (message: string, about: Readonly<Record<string, unknown>>): void =>
    about['err'] === undefined ? logger.info(about, message) : logger.warn(about, message);
  const outbox = createOutbox({ schema, producer: 'orchestrator', traceparent: outgoingTraceparent });
  const conversations = createConversationStore(database, outbox);
  const instructions = createInstructionStore(database, outbox);
  const summaries = createSummaryStore(database, outbox);
  const turns = createTurnStore(database, outbox, { holder, leaseSeconds });
  const pods = createPodStore(database, outbox, holder);
  const makePlace = createMakePlace({
    store: pods,
    patienceMs: GIVE_WAY_MS,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
  });
  const leaseStore = createLeaseStore(database, { holder, leaseSeconds });
  const stream = createTurnStream(bus);

  const sweep = async (): Promise<void> => {
    const { deadOwners, containers } = await runtime.sweep();
    await leaseStore.releaseOf(deadOwners);
    await pods.releaseLeft(deadOwners, leaseSeconds * 3_000);
    if (containers.length > 0) log('pods of dead instances were ended', { containers });
  };
  // What dead instances left, this one's own earlier life first of all: before anything new can begin.
  await sweep();

  const keeper = new PodKeeper({
    runtime,
    identity,
    store: pods,
    startPod: createStartPod({
      runtime,
      identity,
      store: pods,
      programs: parts.programs,
      probe: probePod,
      newPodId: () => newId('pod'),
      tokenTtlSeconds: TOKEN_TTL_SECONDS,
      readyTimeoutMs: POD_READY_MS,
      log,
    }),
    log,
  });
  const leases = createLeaseKeeper({
    leases: leaseStore,
    leaseSeconds,
    onLost: (conversationId) => {
      log('a lease was lost', { conversation: conversationId });
      driver.stop(conversationId, 'lease_lost');
      void keeper.releaseOf(conversationId, 'its conversation went to another instance', 0);
    },
    onError: (err) => log('leases could not be renewed', { err }),
  });
  const kick = (conversationId: string): void => driver.kick(conversationId);
  const { publishEnd, publishLeft } = createPublishEnds({ turns, stream, onPublished: kick, log });
  const driver: ConversationDriver = new ConversationDriver({
    turns,
    leases: () => leases,
    newMessageId: () => newId('msg'),
    hasPod: (conversationId) => keeper.live.ofConversation(conversationId) !== undefined,
    log,
    drive: {
      turns,
      tellInstructions: createTellInstructions({
        ...{ conversations, instructions, models, log },
        sources: parts.instructionSources,
      }),
      recall: createRecall({ conversations, summaries, models, log }),
      compactConversation: createCompactConversation({ conversations, summaries, models }),
      openTurn: createOpenTurn(schedules),
      releaseOf: (conversationId, reason) => keeper.releaseOf(conversationId, reason, 0),
      newNoticeId: () => newId('ntc'),
      stream,
      ensureAgentPod: createEnsureAgentPod({ keeper, store: pods, identity, turnMs }),
      openChat: openPodChat,
      releasePod: (podId, reason) => keeper.release(podId, reason, 0),
      publishEnd,
      holdsLease: (conversationId) => leases.isHeld(conversationId),
      turnMs,
      log,
    },
  });
  const letGo = async (conversationId: string): Promise<void> => {
    await keeper.releaseOf(conversationId, 'the conversation ended');
    await leases.release(conversationId);
  };
  const stopTurns = createStopTurns({ turns, publishEnd, stopHere: (id) => driver.stop(id, 'cancelled') });
  const delegates = createDelegateStore(database, outbox);
  const tell = createTellDelegates({ delegates, stream });
  const stopDelegates = createStopDelegates({ delegates, stopTurns, broker, log });
  const createConversation = createCreateConversation({ conversations, identity, broker, newId });
  const { endConversation, eraseLeft } = createEndConversation({
    conversations,
    identity,
    broker,
    models,
    stopTurns,
    stopDelegates,
    letGo,
    log,
  });
  const { getConversation, listMessages, getTurn } = createReadConversation({ conversations, turns, stream });
  const queueTurn = createQueueTurn({ turns, stream, identity, makePlace, kick, newId });
  const take = createTakeWork({ conversations, identity, queueTurn, schedules, log });
  const tellEnds = createTellEnds({ turns: createUntoldTurns(database, holder), schedules, log });

  const rounds = startRounds(log, [
    { name: 'turns', everyMs: TURN_ROUND_MS, run: () => watchTurns({ turns, publishEnd, publishLeft, kick }) },
    {
      name: 'pods',
      everyMs: POD_ROUND_MS,
      run: () =>
        recyclePods({
          keeper,
          store: pods,
          identity,
          idleMs: parts.idleSeconds * 1000,
          unseenMs: Math.max(30_000, leaseSeconds * 3_000),
          releaseLease: (id) => leases.release(id),
          isDriven: (id) => driver.isDriven(id),
        }),
    },
    { name: 'ended turns', everyMs: TURN_ROUND_MS, run: tellEnds.round },
    { name: 'delegates', everyMs: TURN_ROUND_MS, run: createSettleDelegates({ delegates, broker, tell, log }) },
    { name: 'ended conversations', everyMs: 2_000, run: eraseLeft },
    ...(parts.sweepSeconds ? [{ name: 'dead instances', everyMs: parts.sweepSeconds * 1000, run: sweep }] : []),
  ]);
  const relay = startOutboxRelay({ database, schema, bus, logger });
  const pool = startWarmPool({ keeper, size: parts.warmPods, turnMs, log });
  const work = consumeWork({ bus, take, log });
  measureOutboxLag(() => relay.lagSeconds());
  measureConsumerLag('WORK', () => bus.backlog('WORK', 'orchestrator'));
  measure('bravo_pods', 'Agent pods that are not released, by state.', ['state'], async () =>
    Object.entries(await pods.countByState()).map(([state, value]) => ({ value, labels: { state } })),
  );

  return {
    handlers: {
      ...conversationHandlers({
        createConversation,
        listConversations: createListConversations({ conversations }),
        getConversation,
        endConversation,
        listMessages,
        setMode: createSetMode({ conversations, broker }),
      }),
      ...turnHandlers({
        runTurn: createRunTurn({ queueTurn }),
        cancelTurn: createCancelTurn({ conversations, stopTurns, stopDelegates, broker, log }),
        getTurn,
      }),
      ...delegateHandlers({
        openDelegates: createOpenDelegates({ delegates, identity, tell, kick, newId }),
        getConversation,
        delegates,
      }),
      ...attachmentHandlers({
        attachAgent: createAttachAgent({
          conversations,
          identity,
          createConversation,
          releasePod: letGo,
          newPodId: () => newId('pod'),
          production: parts.production,
          tokenTtlSeconds: ATTACHED_TOKEN_TTL_SECONDS,
        }),
      }),
      ...instructionHandlers(createReadInstructions({ conversations, instructions, summaries })),
      ...describePodsHandler(runtime),
      ...usageHandlers({ listContainerUsage: createListContainerUsage({ pods, now: () => new Date() }) }),
    },
    stop: async () => {
      keeper.startNoMore();
      await Promise.all([work.stop(), rounds.stop(), pool.stop()]);
      await driver.close();
      await tellEnds.settle();
      await keeper.close();
      await leases.stop();
      await relay.stop();
    },
  };
};
