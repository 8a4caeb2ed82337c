/** Answers a question that compliance people ask again and again. Guarantees what a listing does: the caller's tenant, one's own or on record; a person without audit_read must never learn of another's conversation. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { Entries, StoredEntry } from '../trail/entries.port.ts';
import { isOwn, readCursor, readLimit, writeCursor } from '../trail/list-entries.ts';
import type { AskedQuestion, RecordRead } from '../trail/record-read.ts';
import { requireAuditRead, requirePerson } from '../trail/require-person.ts';
import type { Questions } from './questions.port.ts';

export interface TrailQuestion {
  /** slot, grant, approvals or story. */
  readonly question: string;
  /** Of slot and story. */
  readonly conversationId: string;
  /** Of slot. */
  readonly slot: number;
  /** Of grant its id, of approvals that of the person. */
  readonly subject: string;
  /** 0 for the default of 50; at most 200 are given. */
  readonly limit: number;
  readonly cursor: string;
}

/** Who could have seen a slot, how, and which entry says so. */
export interface Seer {
  readonly who: string;
  readonly how: 'owner' | 'released' | 'opened';
  readonly index: number;
}

export interface TrailAnswer {
  readonly entries: readonly StoredEntry[];
  readonly nextCursor: string;
  readonly seers: readonly Seer[];
}

export interface AskTrailPorts {
  readonly entries: Pick<Entries, 'list' | 'firstOf'>;
  readonly questions: Questions;
  readonly recordRead: Pick<RecordRead, 'read'>;
}

export type AskTrail = (principal: Principal, question: TrailQuestion) => Promise<TrailAnswer>;

export const createAskTrail = ({ entries, questions, recordRead }: AskTrailPorts): AskTrail => {
  const ofConversation = (principal: Principal, { conversationId }: TrailQuestion): Promise<boolean> => {
    if (conversationId === '') throw wanting('conversation', 'This question is about one conversation: name it.');
    return isOwn(entries, principal, conversationId);
  };
  const kinds: Readonly<Record<string, Kind>> = {
    story: {
      own: ofConversation,
      find: (workspaceId, { conversationId }, page) =>
        entries.list(workspaceId, { conversationId }, { order: 'asc', ...page }),
    },
    slot: {
      own: (principal, question) => {
        if (!Number.isSafeInteger(question.slot) || question.slot < 1)
          throw wanting('slot', 'A slot has a number from 1 on.');
        return ofConversation(principal, question);
      },
      find: (workspaceId, { conversationId, slot }, page) => questions.slot(workspaceId, conversationId, slot, page),
    },
    grant: {
      own: async (principal, { subject }) => {
        if (subject === '') throw wanting('grant', 'Name the grant.');
        const given = await questions.grantOf(principal.workspaceId, subject);
        if (!given) throw new Fault('not_found', 'There is no such grant in the trail.');
        return isOwn(entries, principal, given.conversationId);
      },
      find: (workspaceId, { subject }, page) => questions.grant(workspaceId, subject, page),
    },
    approvals: {
      own: async (principal, { subject }) => {
        if (subject === '') throw wanting('person', 'Name the person by their id.');
        if (subject === principal.userId) return true;
        requireAuditRead(principal);
        return false;
      },
      find: (workspaceId, { subject }, page) => questions.approvals(workspaceId, subject, page),
    },
  };

  return async (principal, question) => {
    requirePerson(principal);
    const kind = Object.hasOwn(kinds, question.question) ? kinds[question.question] : undefined;
    if (kind === undefined) throw wanting('question', `The question is one of ${Object.keys(kinds).join(', ')}.`);
    const own = await kind.own(principal, question);
    const after = question.cursor === '' ? -1 : readCursor(question.cursor, 'asc');
    const limit = readLimit(question.limit);
    const found = await kind.find(principal.workspaceId, question, { after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    if (!own) await recordRead.read(principal, asked(question), shown.length);
    const last = shown.at(-1);
    return {
      entries: shown,
      nextCursor: found.length > limit && last ? writeCursor('asc', last.index) : '',
      seers: question.question === 'slot' ? seersOf(shown) : [],
    };
  };
};

interface Kind {
  /** Whether it is about the caller's own. @throws Fault where they may not ask. */
  own(principal: Principal, question: TrailQuestion): Promise<boolean>;
  find(
    workspaceId: string,
    question: TrailQuestion,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly StoredEntry[]>;
}

const wanting = (field: string, sentence: string): Fault =>
  new Fault('invalid_argument', sentence, { meta: { field } });

const asked = ({ question, conversationId, slot, subject }: TrailQuestion): AskedQuestion => ({
  question,
  ...(conversationId ? { conversationId } : {}),
  ...(slot > 0 ? { slot } : {}),
  ...(subject ? { subject } : {}),
});

/** The owner of the conversation always could; the agent once bytes were released; anybody else by opening sealed content, which is on record. */
const seersOf = (entries: readonly StoredEntry[]): Seer[] => {
  const seers = entries.flatMap(({ type, actor, onBehalfOf, index }): Seer[] => {
    const owner = onBehalfOf || actor.replace(/^(user|bravo):/, '');
    if (type === 'agent.content.quarantined') return [{ who: `user:${owner}`, how: 'owner', index }];
    if (type === 'agent.content.released') return [{ who: `bravo:${owner}`, how: 'released', index }];
    if (type === 'agent.trail.content_opened') return [{ who: actor, how: 'opened', index }];
    return [];
  });
  return seers.filter(({ who, how }, at) => seers.findIndex((one) => one.who === who && one.how === how) === at);
};
