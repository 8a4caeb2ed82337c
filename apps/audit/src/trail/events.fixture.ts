/** Events as the relay publishes them, for specs; production code must never import it. */
import { type CloudEvent, eventSubject } from '@bravo/events';

export interface EventFacts {
  readonly id?: string;
  readonly workspace?: string;
  /** Empty: of no conversation. */
  readonly conversation?: string;
  readonly actor?: string;
  readonly onbehalfof?: string;
  readonly producer?: string;
  readonly seq: number;
  readonly type?: CloudEvent['type'];
  readonly data?: CloudEvent['data'];
  readonly time?: string;
  readonly causation?: string;
}

export const eventOf = (facts: EventFacts): CloudEvent => ({
  specversion: '1.0',
  id: facts.id ?? `evt_${facts.workspace ?? 'ws_a'}_${facts.producer ?? 'broker'}_${facts.seq}`,
  source: `bravo/${facts.producer ?? 'broker'}`,
  type: facts.type ?? 'agent.conversation.created',
  time: facts.time ?? new Date(Date.UTC(2026, 10, 30, 12, 0, facts.seq)).toISOString(),
  datacontenttype: 'application/json',
  workspace: facts.workspace ?? 'ws_a',
  ...(facts.conversation === '' ? {} : { conversation: facts.conversation ?? 'cnv_1' }),
  actor: facts.actor ?? 'user:usr_alice',
  ...(facts.causation ? { causation: facts.causation } : {}),
  ...(facts.onbehalfof ? { onbehalfof: facts.onbehalfof } : {}),
  producer: facts.producer ?? 'broker',
  producerseq: facts.seq,
  data: facts.data ?? { mode: 'coworker', title_bytes: facts.seq },
});

/** The stream's sequence follows the producer's here. */
export const messageOf = (event: CloudEvent) => ({
  subject: eventSubject(event),
  body: JSON.stringify(event),
  sequence: event.producerseq,
});
