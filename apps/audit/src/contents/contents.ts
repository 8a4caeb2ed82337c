/** Sealed content of tool calls: who may seal, open and erase it. Guarantees that opening is on record before anything is shown, and that what was erased is opened by nobody. */
import type { Principal } from '@bravo/chassis';
import { userActor } from '@bravo/events';
import { createContentKeyPair, openContent } from '@bravo/events/sealing/seal-content';
import { Fault } from '@bravo/faults';
import { ulid } from 'ulid';
import type { Entries } from '../trail/entries.port.ts';
import type { TellOwnEvent } from '../trail/record-read.ts';
import { requireAuditRead } from '../trail/require-person.ts';
import type { PersonKeys, SealingKey } from './person-keys.port.ts';
import type { KeyWrapper } from './wrap-key.ts';

export interface ContentPorts {
  readonly entries: Pick<Entries, 'list'>;
  readonly keys: PersonKeys;
  readonly wrapper: KeyWrapper;
  readonly tell: TellOwnEvent;
}

export interface OpenedContent {
  /** Empty where there is none that can be opened. */
  readonly input: string;
  readonly output: string;
  readonly erased: boolean;
}

export interface Contents {
  sealingKey(workspaceId: string, userId: string): Promise<SealingKey>;
  open(principal: Principal, toolCallId: string): Promise<OpenedContent>;
  erase(principal: Principal, userId: string, reason: string): Promise<number>;
}

/** A key seals for a month, so that content of one time can be erased without that of another. */
export const KEY_LIFE_MS = 30 * 24 * 3_600_000;
const MOST_EVENTS = 1_000;

const ownerOf = (workspaceId: string, userId: string, keyId: string): string => `${workspaceId} ${userId} ${keyId}`;

export const createContents = ({ entries, keys, wrapper, tell }: ContentPorts): Contents => {
  const openPieces = async (workspaceId: string, pieces: readonly Sealed[]) => {
    const bytes: Buffer[] = [];
    for (const { keyId, jwe } of pieces) {
      const found = await keys.wrapped(workspaceId, keyId);
      if (found === 'erased') return 'erased';
      if (found === undefined) throw new Fault('not_found', 'The key of that content is not known here.');
      const piece = await openContent(jwe, wrapper.unwrap(found.wrappedKey, ownerOf(workspaceId, found.userId, keyId)));
      bytes.push(Buffer.from(piece, 'base64'));
    }
    return Buffer.concat(bytes).toString('utf8');
  };

  return {
    async sealingKey(workspaceId, userId) {
      const current = await keys.current(workspaceId, userId, new Date(Date.now() - KEY_LIFE_MS));
      if (current) return current;
      const { publicJwk, privateJwk } = await createContentKeyPair();
      const keyId = `key_${ulid().toLowerCase()}`;
      const wrappedKey = wrapper.wrap(privateJwk, ownerOf(workspaceId, userId, keyId));
      await keys.add(workspaceId, userId, { keyId, publicJwk, wrappedKey });
      return { keyId, publicJwk };
    },

    async open(principal, toolCallId) {
      requireAuditRead(principal);
      const { workspaceId } = principal;
      const found = await entries.list(workspaceId, { toolCallId }, { order: 'asc', limit: MOST_EVENTS });
      const [first] = found;
      if (!first) throw new Fault('not_found', 'There is no such tool call in the trail.');
      const userId = found.find(({ onBehalfOf }) => onBehalfOf !== '')?.onBehalfOf ?? principal.userId;
      await tell({
        type: 'agent.trail.content_opened',
        workspace: workspaceId,
        actor: userActor(principal.userId),
        data: { tool_call_id: toolCallId, user_id: userId },
      });
      const sealed = found.flatMap(({ bytes }) => sealedIn(Buffer.from(bytes).toString('utf8')));
      const of = (kind: Sealed['of']) =>
        openPieces(
          workspaceId,
          sealed.filter((piece) => piece.of === kind).sort((a, b) => a.piece - b.piece),
        );
      const [input, output] = [await of('input'), await of('output')];
      const shown = (text: string): string => (text === 'erased' ? '' : text);
      return { input: shown(input), output: shown(output), erased: input === 'erased' || output === 'erased' };
    },

    async erase(principal, userId, reason) {
      requireAuditRead(principal);
      if (!principal.permissions.includes('manage_members'))
        throw new Fault('permission_denied', "Erasing a person's content needs the permission manage_members.");
      return keys.erase(principal.workspaceId, userId, { actor: userActor(principal.userId), reason });
    },
  };
};

interface Sealed {
  readonly of: 'input' | 'output';
  readonly piece: number;
  readonly keyId: string;
  readonly jwe: string;
}

const sealedIn = (event: string): Sealed[] => {
  const { type, data } = JSON.parse(event) as {
    type: string;
    data: { of?: Sealed['of']; piece?: number; sealed?: { key_id: string; jwe?: string } };
  };
  const { sealed } = data;
  if (sealed?.jwe === undefined) return [];
  const of = data.of ?? (type === 'agent.tool.requested' ? 'input' : 'output');
  return [{ of, piece: data.piece ?? 0, keyId: sealed.key_id, jwe: sealed.jwe }];
};
