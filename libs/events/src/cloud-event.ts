/** The envelope of every event: CloudEvents 1.0 with the platform's extensions. */
import { EVENTS, type EventData, type EventType } from './catalogue.ts';

/** Events that concern no workspace (an unbound token, for example) are kept in this log. */
export const PLATFORM_WORKSPACE = 'platform';

export interface EventDraft<T extends EventType = EventType> {
  readonly type: T;
  /** Workspace id, or PLATFORM_WORKSPACE. */
  readonly workspace: string;
  readonly conversation?: string;
  /** `user:<id>` where a person acted, `bravo:<user id>` where the agent did, `service:<name>` else. */
  readonly actor: string;
  /** Id of the user the actor acts for, without a prefix; absent where it is the actor itself. */
  readonly onBehalfOf?: string;
  /** Id of the event or call that led to this one. */
  readonly causation?: string;
  readonly data: EventData<T>;
}

export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  /** `bravo/<producer>` */
  readonly source: string;
  readonly type: EventType;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly workspace: string;
  readonly conversation?: string;
  readonly actor: string;
  readonly onbehalfof?: string;
  readonly producer: string;
  /** Grows by exactly one per event of a producer: a hole is a lost event. */
  readonly producerseq: number;
  readonly causation?: string;
  readonly traceparent?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Stamp {
  readonly id: string;
  readonly time: string;
  readonly producer: string;
  readonly traceparent?: string;
}

/** The event without its sequence number, which the relay gives in commit order. @throws ZodError when data does not fit. */
export const buildEvent = <T extends EventType>(
  draft: EventDraft<T>,
  stamp: Stamp,
): Omit<CloudEvent, 'producerseq'> => {
  // Two spellings of one person would make "everything done for her" two questions.
  if (draft.onBehalfOf?.includes(':')) throw new Error(`onBehalfOf is a user id, not "${draft.onBehalfOf}"`);
  return envelope(draft, stamp);
};

const envelope = <T extends EventType>(draft: EventDraft<T>, stamp: Stamp): Omit<CloudEvent, 'producerseq'> => ({
  specversion: '1.0',
  id: stamp.id,
  source: `bravo/${stamp.producer}`,
  type: draft.type,
  time: stamp.time,
  datacontenttype: 'application/json',
  workspace: draft.workspace,
  ...(draft.conversation ? { conversation: draft.conversation } : {}),
  actor: draft.actor,
  ...(draft.onBehalfOf ? { onbehalfof: draft.onBehalfOf } : {}),
  producer: stamp.producer,
  ...(draft.causation ? { causation: draft.causation } : {}),
  ...(stamp.traceparent ? { traceparent: stamp.traceparent } : {}),
  data: EVENTS[draft.type].parse(draft.data),
});

/** JetStream subject: `<type>.<workspace>`. */
export const eventSubject = (event: { type: string; workspace: string }): string => `${event.type}.${event.workspace}`;

export const userActor = (userId: string): string => `user:${userId}`;
export const agentActor = (userId: string): string => `bravo:${userId}`;
export const serviceActor = (service: string): string => `service:${service}`;
