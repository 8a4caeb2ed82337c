/** The three streams, as NATS is told them. */
import { RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { type StreamName } from '../bus.port.ts';

const SECOND = 1_000_000_000;
const HOUR = 3_600 * SECOND;
const DEDUPE_WINDOW = 120 * SECOND;

export const STREAMS: Readonly<Record<StreamName, Partial<StreamConfig> & { name: StreamName }>> = {
  EVENTS: {
    name: 'EVENTS',
    subjects: ['agent.>'],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: 7 * 24 * HOUR,
    duplicate_window: DEDUPE_WINDOW,
  },
  WORK: {
    name: 'WORK',
    subjects: ['work.>'],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    duplicate_window: DEDUPE_WINDOW,
  },
  // What a browser may still resume; older positions answer `resync`.
  TURNS: {
    name: 'TURNS',
    subjects: ['turn.>'],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: HOUR,
    max_bytes: 512 * 1024 * 1024,
    duplicate_window: DEDUPE_WINDOW,
  },
};
