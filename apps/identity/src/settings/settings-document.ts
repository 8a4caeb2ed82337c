/** One settings layer as a stored JSON object. What it means is the policy engine's; here it is only kept whole and versioned. */
import { Fault } from '@bravo/faults';
import { LIMITS, readStrictJson } from '@bravo/policy';

/** The stored ones, weakest first; a repository's lies in the conversation's files. */
export const LAYERS = ['platform', 'workspace', 'user', 'conversation'] as const;
export type Layer = (typeof LAYERS)[number];

/** Which document: a field that does not belong to the layer is empty. */
export interface SettingsKey {
  readonly layer: Layer;
  readonly workspaceId: string;
  readonly userId: string;
  readonly conversationId: string;
}

export interface StoredSettings {
  /** JSON text of an object. */
  readonly document: string;
  readonly version: number;
}

export interface SettingsStore {
  findSettings(key: SettingsKey): Promise<StoredSettings | undefined>;
  /** One for each key, in their order, as they were at one moment. */
  findEach(keys: readonly SettingsKey[]): Promise<readonly StoredSettings[]>;
  /** Writes version + 1 while it is still `seen` (0: none yet), with the names of the keys that differ. Undefined when it moved on. */
  replaceSettings(
    key: SettingsKey,
    change: { seen: number; document: string; changed: readonly string[]; updatedBy: string; actor: string },
  ): Promise<number | undefined>;
  /** Takes away what is of one conversation. */
  eraseConversation(workspaceId: string, conversationId: string): Promise<void>;
}

export const EMPTY_SETTINGS: StoredSettings = { document: '{}', version: 0 };

/** Of every layer that holds for a person, weakest first. */
export const settingsKeys = (of: {
  workspaceId: string;
  userId: string;
  conversationId?: string | undefined;
}): SettingsKey[] =>
  LAYERS.filter((layer) => layer !== 'conversation' || of.conversationId !== undefined).map((layer) =>
    settingsKey({ ...of, layer }),
  );

const MAX_BYTES = LIMITS['settings-size'].value;

export const settingsKey = ({
  layer,
  workspaceId,
  userId,
  conversationId = '',
}: {
  layer: string;
  workspaceId: string;
  userId: string;
  conversationId?: string | undefined;
}): SettingsKey => {
  switch (layer) {
    case 'platform':
      return { layer, workspaceId: '', userId: '', conversationId: '' };
    case 'workspace':
      return { layer, workspaceId, userId: '', conversationId: '' };
    case 'user':
      return { layer, workspaceId, userId, conversationId: '' };
    case 'conversation':
      if (!/^[\w-]{1,64}$/.test(conversationId))
        throw new Fault('invalid_argument', 'The layer "conversation" needs the conversation it is for.', {
          meta: { field: 'conversation' },
        });
      return { layer, workspaceId, userId, conversationId };
    default:
      throw new Fault('invalid_argument', `"${layer}" is no stored layer. Use one of ${LAYERS.join(', ')}.`, {
        meta: { field: 'layer' },
      });
  }
};

/** The document as it will be stored: parsed and written anew, so that every later reader sees the same members. */
export const normaliseDocument = (text: string): string => {
  const refuse = (why: string): never => {
    throw new Fault('invalid_argument', `The settings document ${why}.`, { meta: { field: 'document' } });
  };
  if (Buffer.byteLength(text) > MAX_BYTES) refuse(`is larger than ${MAX_BYTES} bytes`);
  // Strict, so that a document has one meaning for every later reader: a repeated key would have two.
  const reading = readStrictJson(text);
  if (!reading.ok) return refuse(`is not JSON that can be kept: ${reading.text}`);
  const document = reading.value;
  if (typeof document !== 'object' || document === null || Array.isArray(document)) refuse('must be a JSON object');
  return JSON.stringify(document);
};
