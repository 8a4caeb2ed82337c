/** Lets a person vouch for one file whose text was kept from the agent. Guarantees that they vouch for the very bytes they were shown and for that path alone; no agent has a way here. */
import { createHash } from 'node:crypto';
import { Fault } from '@bravo/faults';
import { type Preview, renderPreview } from '@bravo/policy';
import type { PersonPrincipal } from '../access/person.ts';
import type { Identity } from '../access/agent.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import { checkContent } from '../processors/check-content.ts';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import type { Slot, SlotStore } from '../slots/slot.ts';
import { drawnContent } from '../tools/drawn-content.ts';
import type { EffectTools } from '../tools/effect.ts';
import { isText, plural } from '../tools/text.ts';

export interface OfferedFile {
  readonly path: string;
  /** Of the bytes that are drawn: a yes names it. */
  readonly revision: string;
  readonly preview: Preview;
  /** They vouched for it already, or it became trusted otherwise. */
  readonly trusted: boolean;
}

/** The mark of a path as it was when the file was looked at. */
export interface SeenMark {
  readonly writtenBy: string;
  readonly at: Date;
}

export interface TrustOffers {
  /** Undefined: the path has no mark. */
  findMark(conversationId: string, path: string): Promise<SeenMark | undefined>;
  /**
   * Marks the path as vouched for, with its event, and asks for a turn. `seen`: the mark the file was looked at under.
   * @throws Fault conflict when anything wrote there or a program ran since `lookedAt`; conversation_ended
   */
  vouch(given: {
    readonly person: PersonPrincipal;
    readonly slot: Slot;
    readonly conversationId: string;
    readonly seen: SeenMark | undefined;
    readonly lookedAt: Date;
    readonly bytes: number;
    readonly digest: string;
  }): Promise<void>;
}

export interface TrustOfferParts {
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly slots: Pick<SlotStore, 'find'>;
  readonly identity: Pick<Identity, 'resolveMember'>;
  readonly tools: Pick<EffectTools, 'sandbox' | 'isReadDenied' | 'trustOf' | 'models'>;
  readonly offers: TrustOffers;
  /** Tells the outbox that there is something to send. */
  readonly nudge: () => void;
  readonly now: () => number;
}

/** Larger files are not shown whole, so nobody could vouch for what they saw. */
const MAX_OFFERED_BYTES = 1024 * 1024;
const CHANGED = 'The file changed since you looked at it. Look at it again.';

export const createTrustOffer = (parts: TrustOfferParts) => {
  /** @throws Fault not_found for what is foreign or never was; failed where a yes would let nothing through. */
  const look = async (person: PersonPrincipal, conversationId: string, number: number) => {
    const conversation = await parts.conversations.find(conversationId);
    const owned = conversation !== undefined && isOwnedBy(conversation, person) ? conversation : undefined;
    const slot = owned === undefined ? undefined : await parts.slots.find(conversationId, number);
    if (owned === undefined || slot === undefined)
      throw new Fault('not_found', 'There is no such reference in this conversation.');
    if (owned.ended) throw new Fault('conversation_ended', 'The conversation has ended.');
    if (slot.tool !== 'read_file' || slot.kind !== 'text' || slot.path === '')
      throw new Fault('conflict', 'Only a text file that @bravo asked to read can be vouched for here.');
    if (owned.context.integrity !== 'trusted')
      throw new Fault('conflict', '@bravo has met content that nobody vouched for, so nothing is let through to it.');
    const { role, permissions } = await parts.identity.resolveMember(person.workspaceId, person.userId);
    if (!permissions.includes('view_content'))
      throw new Fault('permission_denied', 'You no longer hold the permission view_content.');
    const who: OnBehalfOf = { ...person, conversationId, podId: '', role, permissions };
    const { path } = slot;
    const [denied] = await parts.tools.isReadDenied(conversationId, [path]);
    if (denied) throw new Fault('conflict', 'A rule denies reading this file, and it holds whatever you vouch for.');
    const seen = await parts.offers.findMark(conversationId, path);
    const lookedAt = new Date(parts.now());
    const { content, truncated, facts } = await parts.tools.sandbox.read(who, path, MAX_OFFERED_BYTES);
    if (facts.kind !== 'file' || facts.landing !== path)
      throw new Fault('conflict', 'There is no such file any more, or the path leads elsewhere now.');
    if (truncated || !isText(content))
      throw new Fault('conflict', 'The file is no text, or too long to be shown whole, so nobody can vouch for it.');
    const [trust] = await parts.tools.trustOf(conversationId, [path]);
    return { who, slot, path, seen, lookedAt, content, revision: facts.revision, trusted: trust === 'trusted' };
  };

  return {
    offer: async (person: PersonPrincipal, conversationId: string, number: number): Promise<OfferedFile> => {
      const { who, path, content, revision, trusted, slot } = await look(person, conversationId, number);
      const text = Buffer.from(content).toString('utf8');
      const notes = await checkContent(
        parts.tools.models,
        who,
        { name: `ref:${slot.number}`, text },
        { origin: slot.origin, expects: undefined },
      );
      const preview = renderPreview({
        manifest: { arguments: { path: { class: 'routing', reaches: 'read_path' } } },
        arguments: { path },
        targets: {},
        notes,
        carried: [{ name: 'the whole file', origin: plural(content.length, 'byte'), content: drawnContent(content) }],
      });
      return { path, revision, preview, trusted };
    },
    /** @param revision of the bytes they saw. @throws Fault conflict when there are others now. */
    vouch: async (person: PersonPrincipal, conversationId: string, number: number, revision: string): Promise<void> => {
      const found = await look(person, conversationId, number);
      if (found.revision !== revision) throw new Fault('conflict', CHANGED);
      if (found.trusted) return;
      const { slot, seen, lookedAt, content } = found;
      const digest = createHash('sha256').update(content).digest('hex');
      await parts.offers.vouch({ person, slot, conversationId, seen, lookedAt, bytes: content.length, digest });
      parts.nudge();
    },
  };
};

export type TrustOffer = ReturnType<typeof createTrustOffer>;
