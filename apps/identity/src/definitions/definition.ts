/** A skill or an agent definition as it is stored: its text whole, its name and description read out of it. What it may do is decided where it is used. */
import { Fault } from '@bravo/faults';
import { DEFINITION_KINDS, type DefinitionKind, isDefinitionName } from '@bravo/policy';

export const DEFINITION_LAYERS = ['workspace', 'user'] as const;
export type DefinitionLayer = (typeof DEFINITION_LAYERS)[number];

/** Which one: `userId` is empty on the layer "workspace". */
export interface DefinitionKey {
  readonly kind: DefinitionKind;
  readonly layer: DefinitionLayer;
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
}

export interface StoredDefinition extends DefinitionKey {
  readonly description: string;
  readonly text: string;
  readonly version: number;
  readonly updatedAt: Date;
}

export interface DefinitionStore {
  /** The workspace's and, of the layer "user", that person's alone; by layer, kind and name. */
  list(of: { workspaceId: string; userId: string; kind: string; name: string }): Promise<readonly StoredDefinition[]>;
  /** How many the layer holds of the kind. */
  count(key: Omit<DefinitionKey, 'name'>): Promise<number>;
  /** Writes version + 1 while it is still `seen` (0: none yet), with its event. Undefined when it moved on. */
  replace(
    key: DefinitionKey,
    change: { seen: number; description: string; text: string; updatedBy: string; actor: string },
  ): Promise<StoredDefinition | undefined>;
  /** With its event. False where there was none. */
  remove(key: DefinitionKey, actor: string): Promise<boolean>;
}

/** Of one kind on one layer: each is a line of what a model is told. */
export const MOST_DEFINITIONS = 50;

/** @throws Fault invalid_argument naming the field. */
export const definitionKey = (given: {
  kind: string;
  layer: string;
  workspaceId: string;
  userId: string;
  name: string;
}): DefinitionKey => {
  const kind = DEFINITION_KINDS.find((known) => known === given.kind);
  const layer = DEFINITION_LAYERS.find((known) => known === given.layer);
  if (kind === undefined) throw wrong('kind', `Use one of ${DEFINITION_KINDS.join(', ')}.`);
  if (layer === undefined) throw wrong('layer', `Use one of ${DEFINITION_LAYERS.join(', ')}.`);
  if (!isDefinitionName(given.name))
    throw wrong('name', 'A name has lower-case letters, digits and single dashes, at most 64 characters.');
  return {
    ...{ kind, layer, workspaceId: given.workspaceId, name: given.name },
    userId: layer === 'workspace' ? '' : given.userId,
  };
};

const wrong = (field: string, sentence: string): Fault =>
  new Fault('invalid_argument', `${field} is not usable. ${sentence}`, { meta: { field } });
