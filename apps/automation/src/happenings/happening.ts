/** One event as automation reads it: what it needs of any event, believed only where its subject agrees. */
import { z } from 'zod';

const name = z.string().min(1).max(256);

const envelope = z.looseObject({
  id: name,
  type: name,
  time: z.iso.datetime(),
  workspace: name,
  conversation: name.optional(),
  actor: name,
  onbehalfof: name.optional(),
  data: z.record(z.string(), z.unknown()),
});

export interface Happening {
  readonly eventId: string;
  readonly type: string;
  readonly time: Date;
  readonly workspaceId: string;
  /** Empty where it concerns none. */
  readonly conversationId: string;
  readonly actor: string;
  /** The person whose it is: whom the actor acts for, or who acted; empty of a service's own. */
  readonly ownerId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Undefined for what is no event of ours: audit parks and tells those. */
export const readHappening = (subject: string, body: string): Happening | undefined => {
  const read = envelope.safeParse(parsed(body));
  if (!read.success || subject !== `${read.data.type}.${read.data.workspace}`) return undefined;
  const { id, type, time, workspace, conversation = '', actor, onbehalfof, data } = read.data;
  const ownerId = onbehalfof ?? /^(?:user|bravo):(.+)$/.exec(actor)?.[1] ?? '';
  return {
    eventId: id,
    type,
    time: new Date(time),
    workspaceId: workspace,
    conversationId: conversation,
    actor,
    ownerId,
    data,
  };
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
