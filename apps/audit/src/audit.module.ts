/** Wires audit: stores over one database, use cases over stores, the consumer and the handlers over use cases. */
import { type Handlers, type Logger, outgoingTraceparent, startRounds, type WayOut } from '@bravo/chassis';
import { type Bus, createOutbox, startOutboxRelay } from '@bravo/events';
import type { AuditServiceService } from '@bravo/proto/audit';
import type pg from 'pg';
import { alertUnverified } from './alerts/alert-unverified.ts';
import { createAlerts } from './alerts/alerts.prisma.ts';
import { listAlertsHandler } from './alerts/list-alerts.grpc.ts';
import { startWatchGaps } from './alerts/watch-gaps.ts';
import { startCheckpointSchedule } from './checkpoints/checkpoint-schedule.ts';
import type { CheckpointSink, PostText } from './checkpoints/checkpoint-sink.port.ts';
import { createCheckpoints } from './checkpoints/checkpoints.prisma.ts';
import { createDeliveries } from './checkpoints/deliveries.prisma.ts';
import { getCheckpointHandler } from './checkpoints/get-checkpoint.grpc.ts';
import { createGetCheckpoint } from './checkpoints/get-checkpoint.ts';
import { proofMakerOf } from './checkpoints/prove.ts';
import { startPublishCheckpoints } from './checkpoints/publish-checkpoints.ts';
import { createSignCheckpoint } from './checkpoints/sign-checkpoint.ts';
import type { NoteSigner } from './checkpoints/signed-note.ts';
import { createWitness, type Witness } from './checkpoints/witness.client.ts';
import { contentHandlers } from './contents/contents.grpc.ts';
import { createContents, KEY_LIFE_MS } from './contents/contents.ts';
import { createPersonKeys } from './contents/person-keys.prisma.ts';
import { createKeyWrapper } from './contents/wrap-key.ts';
import { startLeading } from './leaders/leader-lock.prisma.ts';
import type { Database } from './databases/database.prisma.ts';
import type { DeliveryLag } from './deliveries/delivery-lag.port.ts';
import { createDeliveryArea } from './deliveries/deliveries.module.ts';
import { exportEntriesHandler } from './exports/export-entries.grpc.ts';
import { createExportEntries } from './exports/export-entries.ts';
import { askTrailHandler } from './questions/ask-trail.grpc.ts';
import { createAskTrail } from './questions/ask-trail.ts';
import { createQuestions } from './questions/questions.prisma.ts';
import { rejectionHandlers } from './rejections/rejections.grpc.ts';
import { createRejections } from './rejections/rejections.prisma.ts';
import { createRetryRejections } from './rejections/rejections.ts';
import { createPruneLog } from './retention/prune-log.ts';
import { createPruner } from './retention/pruner.prisma.ts';
import { retentionHandlers } from './retention/retention.grpc.ts';
import type { Policy } from './retention/retention.port.ts';
import { createRetention } from './retention/retention.prisma.ts';
import { createKeepTrail } from './retention/retention.ts';
import { pruningRounds } from './retention/pruning-rounds.ts';
import { createEntries } from './trail/entries.prisma.ts';
import { listEntriesHandler } from './trail/list-entries.grpc.ts';
import { createListEntries } from './trail/list-entries.ts';
import { consumeEvents } from './trail/record-event.consumer.ts';
import { createRecordEvents } from './trail/record-event.ts';
import { createRecordRead } from './trail/record-read.ts';
import { createTellOwnEvent } from './trail/tell-own-event.prisma.ts';
import { verifyLogHandler, watchVerificationHandler } from './trail/verify-log.grpc.ts';
import { createVerifyLog } from './trail/verify-log.ts';

export interface AuditParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly scanPool: pg.Pool;
  readonly bus: Bus;
  readonly signer: NoteSigner;
  /** Places outside that keep checkpoints. */
  readonly sinks?: readonly CheckpointSink[];
  readonly witnesses?: readonly { readonly witness: Witness; readonly post: PostText }[];
  /** 32 bytes that wrap the keys of sealed content. */
  readonly contentKey: Uint8Array;
  readonly checkpointRows: number;
  readonly checkpointSeconds: number;
  /** How often holes are looked for, 30 s unless said. */
  readonly gapSeconds?: number;
  readonly retention: {
    /** The operator's, where a workspace says nothing. */
    readonly policy: Policy;
    /** The shortest time a workspace may choose, in seconds; null: only for ever. */
    readonly least: number | null;
    readonly pruneSeconds: number;
    /** Of the role that may prune; without it nothing is. */
    readonly prunerPool?: pg.Pool | undefined;
  };
  /** Through which the trail is delivered; without it nothing is. */
  readonly wayOut?: WayOut | undefined;
  readonly logger: Logger;
}

export interface RunningAudit {
  /** Whether this process is the one that records. */
  leading(): boolean;
  /** How long each place for checkpoints has taken nothing. */
  sinkLag(): readonly { readonly sink: string; readonly seconds: number }[];
  outboxLagSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export interface Audit {
  readonly handlers: Handlers<AuditServiceService>;
  /** Puts down what the operator says is kept; before anything starts. */
  prepare(): Promise<void>;
  /** Begins to take events, to sign checkpoints and to publish them; what it returns ends these in that order, with everything signed. */
  start(): RunningAudit;
  /** Messages no log could take and no try has recorded since. */
  readonly openRejections: () => Promise<number>;
  readonly deliveryLag: () => Promise<DeliveryLag>;
  readonly alertCounts: () => Promise<readonly { readonly kind: string; readonly count: number }[]>;
}

/** A place that takes nothing for so long is an alert. */
const SINK_PATIENCE_MS = 5 * 60_000;

export const createAudit = (parts: AuditParts): Audit => {
  const { database, bus, signer, logger } = parts;
  const entries = createEntries(database, parts.scanPool);
  const checkpoints = createCheckpoints(database);
  const deliveries = createDeliveries(database);
  const outbox = createOutbox({ schema: 'audit', producer: 'audit', traceparent: outgoingTraceparent });
  const alerts = createAlerts(database, outbox);
  const retention = createRetention(database, outbox);
  const rejections = createRejections(database, outbox);
  const tell = createTellOwnEvent(database, outbox);
  const recordRead = createRecordRead(tell);
  const alertFailed = (error: unknown): void => logger.error({ err: error }, 'an alert could not be kept');
  const verifyLog = alertUnverified(createVerifyLog({ entries, checkpoints, signer, retention }), alerts, alertFailed);
  const prove = (workspaceId: string, older: number, newer: number) =>
    proofMakerOf(checkpoints, workspaceId, newer).consistency(older);
  const sinks = [...(parts.sinks ?? []), ...(parts.witnesses ?? []).map(({ witness, post }) => createWitness(witness, prove, post))];

  const wrapper = createKeyWrapper(parts.contentKey);
  const area = createDeliveryArea({
    ...{ database, outbox, entries, checkpoints, deliveries, signer, retention, alerts, wrapper, logger },
    wayOut: parts.wayOut,
  });

  const startPublishing = () =>
    startPublishCheckpoints({
      sinks,
      deliveries,
      onFailure: (sink, error, failingForMs) => {
        logger.warn(
          { err: error, sink, failing_seconds: Math.round(failingForMs / 1_000) },
          'checkpoint not published',
        );
        if (failingForMs < SINK_PATIENCE_MS) return;
        const detail = `The place for checkpoints "${sink}" takes nothing.`;
        const subject = `${sink} ${new Date().toISOString().slice(0, 10)}`;
        void alerts.raise({ kind: 'sink', subject, workspaceId: '', detail }).catch(alertFailed);
      },
    });

  return {
    prepare: () => retention.setDefault(parts.retention.policy),
    alertCounts: () => alerts.count(),
    openRejections: () => rejections.countOpen(),
    deliveryLag: () => area.lag(),
    handlers: {
      listEntries: listEntriesHandler(createListEntries(entries, recordRead)),
      verifyLog: verifyLogHandler(verifyLog),
      watchVerification: watchVerificationHandler(verifyLog, (workspaceId) => entries.size(workspaceId)),
      getCheckpoint: getCheckpointHandler(createGetCheckpoint({ checkpoints, deliveries, signer, retention })),
      exportEntries: exportEntriesHandler(
        createExportEntries({ entries, checkpoints, deliveries, signer, retention, recordRead }),
      ),
      listAlerts: listAlertsHandler(alerts),
      askTrail: askTrailHandler(createAskTrail({ entries, questions: createQuestions(database), recordRead })),
      ...rejectionHandlers(createRetryRejections({ rejections, recordEvents: createRecordEvents(entries) })),
      ...area.handlers,
      ...retentionHandlers(createKeepTrail(retention, parts.retention.least)),
      ...contentHandlers(
        createContents({
          entries,
          keys: createPersonKeys(database, outbox),
          wrapper,
          tell,
        }),
      ),
    },
    start() {
      const publisher = startPublishing();
      const relay = startOutboxRelay({ database, schema: 'audit', bus, logger });
      const schedule = startCheckpointSchedule({
        signCheckpoint: createSignCheckpoint({ entries, checkpoints, signer }),
        logsBehind: () => checkpoints.logsBehind(signer.fingerprint),
        onSigned: () => publisher.nudge(),
        onRefused: (workspaceId, error) => {
          const detail = error instanceof Error ? error.message : String(error);
          // What the database or the disk has is no finding about the log.
          if (!detail.endsWith('nothing is signed')) return;
          void alerts
            .raise({ kind: 'signing', subject: `${workspaceId} ${detail}`, workspaceId, detail })
            .catch(alertFailed);
        },
        rows: parts.checkpointRows,
        seconds: parts.checkpointSeconds,
        logger,
      });
      const gaps = startWatchGaps({
        allGaps: () => entries.allGaps(),
        alerts,
        onAlert: (sentence) => logger.error({ alert: 'gap' }, sentence),
        onFailure: (error) => logger.warn({ err: error }, 'holes could not be looked for; trying again'),
        lookMs: (parts.gapSeconds ?? 30) * 1_000,
      });
      // Two that took turns would record in another order than was published.
      const consumer = startLeading({
        url: parts.databaseUrl,
        onChange: (leading) =>
          logger.info({ leading }, leading ? 'this process records' : 'this process records no more'),
        begin: () => {
          const delivering = area.start();
          const consuming = consumeEvents({
            bus,
            recordEvents: createRecordEvents(entries),
            onRecorded: (workspaceId, count) => schedule.noteEntries(workspaceId, count),
            logger,
          });
          return { stop: async () => void (await Promise.all([delivering.stop(), consuming.stop()])) };
        },
      });
      const pruner = parts.retention.prunerPool && createPruner(parts.retention.prunerPool, outbox);
      const rounds = pruningRounds({
        retention,
        pruneLog:
          pruner &&
          createPruneLog({ entries, checkpoints, signer, retention, pruner, sinks: sinks.map(({ name }) => name) }),
        alerts,
        keyLifeSeconds: KEY_LIFE_MS / 1_000,
        everyMs: parts.retention.pruneSeconds * 1_000,
        logger,
      });
      const pruning = startRounds((message, about) => logger.warn({ ...about }, message), rounds);
      return {
        leading: () => consumer.leading(),
        sinkLag: () => publisher.lag(),
        outboxLagSeconds: () => relay.lagSeconds(),
        stop: async () => {
          gaps.stop();
          await pruning.stop();
          await relay.stop();
          await consumer.stop();
          await schedule.stop();
          await publisher.stop();
        },
      };
    },
  };
};
