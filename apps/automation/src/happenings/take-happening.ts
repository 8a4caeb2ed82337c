/** Takes one event: its line in the feed, and whom it concerns. Guarantees once per event however often it comes; nobody is told of what is another person's. */
import { tellActivity } from '../activities/tell-activity.ts';
import type { Members } from '../members/members.port.ts';
import { settledBy, tellNotification, type Told } from '../notifications/tell-notification.ts';
import type { Happening } from './happening.ts';

export interface NewActivity {
  readonly text: string;
  /** Empty: for every member. */
  readonly userId: string;
}

export interface Taken {
  readonly happening: Happening;
  readonly activity: NewActivity | undefined;
  readonly told: Told | undefined;
  /** Ids of the people it concerns. */
  readonly people: readonly string[];
  /** The approval it settles; empty for none. */
  readonly settles: string;
}

export interface Happenings {
  /** The project of a conversation; empty where it is in none. */
  projectOf(conversationId: string): Promise<string>;
  keepPlace(conversationId: string, projectId: string): Promise<void>;
  /** All of it in one transaction, and nothing twice. */
  take(taken: Taken): Promise<void>;
}

export type TakeHappening = (happening: Happening) => Promise<void>;

export const createTakeHappening =
  (ports: { happenings: Happenings; members: Members; longTurnMs: number }): TakeHappening =>
  async (happening) => {
    const { type, conversationId, workspaceId, ownerId, data } = happening;
    const { happenings, members } = ports;
    if (type === 'agent.conversation.created' && typeof data['project_id'] === 'string' && conversationId !== '')
      await happenings.keepPlace(conversationId, data['project_id']);
    const project = conversationId === '' ? '' : await happenings.projectOf(conversationId);
    const line = tellActivity(happening, project);
    const told = tellNotification(happening, ports.longTurnMs);
    const settles = settledBy(happening);
    if (line === undefined && told === undefined && settles === '') return;
    const people =
      told === undefined
        ? []
        : told.whom === 'auditors'
          ? await members.auditors(workspaceId)
          : ownerId === ''
            ? []
            : [ownerId];
    // A line that is nobody's own and not for everybody is for nobody.
    const activity =
      line === undefined || (!line.everybody && ownerId === '')
        ? undefined
        : { text: line.text, userId: line.everybody ? '' : ownerId };
    await happenings.take({ happening, activity, told, people, settles });
  };
