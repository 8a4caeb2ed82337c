/** Wires the model gateway: what a call needs, from the database and identity to the way out; nothing else decides anything here. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HealthModule, newId, outgoingTraceparent, startRounds } from '@bravo/chassis';
import type { Handlers, Logger, Readiness } from '@bravo/chassis';
import { createOutbox } from '@bravo/events';
import type { ModelsServiceService } from '@bravo/proto/models';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createAnswerCall } from './answers/answer-call.ts';
import { createAnswerPatiently } from './attempts/answer-patiently.ts';
import { createHealthBook } from './attempts/endpoint-health.ts';
import type { Patience } from './attempts/patience.ts';
import type { AuthenticateAgent } from './callers/agent-caller.ts';
import { createCallRate } from './callers/call-rate.ts';
import { createAuthenticateAgent, createWorkspaces } from './callers/identity.client.ts';
import type { IdentityGrpc } from './callers/identity.client.ts';
import {
  ANSWER_CALL,
  AUTHENTICATE_AGENT,
  ChatCompletionsController,
  LOGGER,
} from './chat-completions/chat-completions.http.ts';
import { createChoiceStore } from './choices/choices.prisma.ts';
import { type ChooseModel, createChooseModel } from './choices/choose-model.ts';
import { createPutChoice } from './choices/put-choice.ts';
import type { Database } from './databases/database.prisma.ts';
import { createRunIsolated } from './isolated-calls/run-isolated.ts';
import { createModelsHandlers } from './models/models.grpc.ts';
import { CHOOSE_MODEL, ModelsController } from './models/models.http.ts';
import { createMakeProvider } from './providers/make-provider.ts';
import { type AnswerInContext, createAnswerInContext } from './contexts/answer-in-context.ts';
import { createFitRequest } from './contexts/fit-request.ts';
import { createInstructionStore } from './contexts/instructions.prisma.ts';
import { createReadContext } from './contexts/read-context.ts';
import { createSummariseRecord } from './contexts/summarise-record.ts';
import { createSummariseStretch } from './contexts/summarise-stretch.ts';
import { createTellCompaction, type TellCompactionParts } from './contexts/tell-compaction.prisma.ts';
import type { OpenSocketFor } from './providers/open-socket.ts';
import { createCallLedger } from './quotas/call-ledger.prisma.ts';
import { type ChargeContainer, createChargeContainer } from './quotas/charge-container.ts';
import type { PlanCredits } from './quotas/credits.ts';
import type { PriceOf } from './quotas/prices.ts';
import { createReadAllowance } from './quotas/read-allowance.ts';
import { createReserveCall } from './quotas/reserve-call.ts';
import { createLoadRoster, type OwnService } from './rosters/load-roster.ts';
import { createListUsage } from './usage/list-usage.ts';

/** What the operator decides. */
export interface ModelGatewayPolicy {
  readonly patience: Patience;
  readonly connectMs: number;
  /** Id of the second model; empty: none. */
  readonly fallback: string;
  readonly keys: ReadonlyMap<string, string>;
  readonly priceOf: PriceOf;
  readonly planCredits: (plan: string) => PlanCredits;
  readonly trialCredits: number;
  readonly answerTokens: number;
  /** Window of a model of which nobody stated one. */
  readonly contextTokens: number;
  readonly callsAtOnce: number;
  readonly callsPerMinute: number;
}

export interface ModelGatewayParts {
  readonly own: OwnService;
  readonly policy: ModelGatewayPolicy;
  readonly database: Database;
  readonly identity: IdentityGrpc;
  /** Says something in the stream of a conversation. */
  readonly tellTurn: TellCompactionParts['tellTurn'];
  readonly openSocketFor: OpenSocketFor;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface ModelGateway {
  readonly authenticate: AuthenticateAgent;
  readonly answerCall: AnswerInContext;
  readonly chooseModel: ChooseModel;
  readonly handlers: Handlers<typeof ModelsServiceService>;
  readonly chargeContainer: ChargeContainer;
  /** Sweeps reservations whose process ended. */
  start(): { stop(): Promise<void> };
  close(): Promise<void>;
}

const SCHEMA = 'models';
const SWEEP_MS = 30_000;
/** Longer than any answer: nothing that still runs is ever given up. */
const HOLD_MS = 3 * 3_600_000;

export const createModelGateway = ({
  own,
  policy,
  database,
  identity,
  tellTurn,
  openSocketFor,
  logger,
  now,
}: ModelGatewayParts): ModelGateway => {
  const log = (message: string, about: Readonly<Record<string, unknown>>): void => logger.info({ ...about }, message);
  const tick = (): number => performance.now();
  const { patience, planCredits, trialCredits, priceOf } = policy;
  const workspaces = createWorkspaces(identity);
  const outbox = createOutbox({ schema: SCHEMA, producer: 'models', traceparent: outgoingTraceparent });
  const store = createChoiceStore(database, outbox);
  const ledger = createCallLedger(database, outbox, now, () => newId('mdl'));
  const { keys, connectMs } = policy;
  const makeProvider = createMakeProvider({ workspaces, keys, connectMs, idleMs: patience.idleMs, openSocketFor });
  const loadRoster = createLoadRoster({ own, providerOf: makeProvider.providerOf, now: tick, log });
  const chooseModel = createChooseModel({ workspaces, loadRoster, store, fallback: policy.fallback, log });
  const answerCall = createAnswerCall({
    chooseModel,
    reserveCall: createReserveCall({ ledger, priceOf, now, answerTokens: policy.answerTokens, holdMs: HOLD_MS }),
    answerPatiently: createAnswerPatiently({
      healthOf: createHealthBook(patience),
      patience,
      pause: (ms, signal) => sleep(ms, undefined, { signal }),
      random: Math.random,
    }),
    ledger,
    priceOf,
    planCredits,
    trialCredits,
    rate: createCallRate({ open: policy.callsAtOnce, perMinute: policy.callsPerMinute, now: tick }),
    log,
  });
  const instructions = createInstructionStore(database);
  const summarise = createSummariseStretch(answerCall);
  const fitRequest = createFitRequest({
    policy,
    summarise,
    tell: createTellCompaction({ database, outbox, newId: () => newId('ntc'), tellTurn, log }),
    log,
  });
  const planOf = async (workspaceId: string): Promise<string> => (await identity.resolveFeatures({ workspaceId })).plan;
  return {
    authenticate: createAuthenticateAgent(identity, () => now().getTime()),
    answerCall: createAnswerInContext({ chooseModel, answerCall, instructions, fitRequest }),
    chooseModel,
    chargeContainer: createChargeContainer({ ledger, planOf, planCredits, trialCredits, now }),
    handlers: createModelsHandlers({
      chooseModel,
      putChoice: createPutChoice({ workspaces, loadRoster, store }),
      runIsolated: createRunIsolated(answerCall),
      listUsage: createListUsage(ledger),
      instructions,
      summariseRecord: createSummariseRecord({ chooseModel, summarise, policy }),
      readContext: createReadContext({ chooseModel, ledger, policy }),
      readAllowance: createReadAllowance({ workspaces, ledger, planCredits, trialCredits, now }),
      grantCredits: async (workspaceId, reference, credits) => {
        const plan = await planOf(workspaceId);
        const period = now().toISOString().slice(0, 7);
        const terms = { workspaceId, plan, period, planCredits: planCredits(plan), trialCredits };
        return ledger.grant(terms, reference, credits);
      },
    }),
    start: () =>
      startRounds(
        (message, about) => logger.warn({ ...about }, message),
        [{ name: 'sweep reservations', everyMs: SWEEP_MS, run: () => ledger.sweep(now()) }],
      ),
    close: () => makeProvider.close(),
  };
};

@Module({})
export class ModelGatewayModule {
  static with(gateway: ModelGateway, readiness: Readiness, logger: Logger): DynamicModule {
    return {
      module: ModelGatewayModule,
      imports: [HealthModule.with(readiness)],
      controllers: [ChatCompletionsController, ModelsController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: AUTHENTICATE_AGENT, useValue: gateway.authenticate },
        { provide: ANSWER_CALL, useValue: gateway.answerCall },
        { provide: CHOOSE_MODEL, useValue: gateway.chooseModel },
      ],
    };
  }
}
