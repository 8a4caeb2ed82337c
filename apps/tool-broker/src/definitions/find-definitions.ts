/**
 * Which skills and agent definitions hold in a conversation. Guarantees that one among its files holds only while its text is, byte
 * for byte, one that the person accepted: whatever a pod writes there, and whoever vouches for the file, is a proposal.
 */
import { createHash } from 'node:crypto';
import { type AgentDefinition, meetAgents, readDefinition } from '@bravo/policy';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import {
  type AcceptedDefinitions,
  DEFINITION_LEVELS,
  type DefinitionKind,
  type Definitions,
  type FoundText,
  type KeptDefinition,
  type KeptDefinitions,
  type ListedDefinition,
} from './definition.ts';
import type { RepositoryDefinitions } from './repository-definitions.ts';

export interface DefinitionParts {
  readonly identity: KeptDefinitions;
  readonly repository: RepositoryDefinitions;
  readonly answers: Pick<AcceptedDefinitions, 'accepted'>;
}

export const createDefinitions = ({ identity, repository, answers }: DefinitionParts): Definitions => {
  /** What holds under the name, the farthest first. */
  const holding = async (who: OnBehalfOf, kind: DefinitionKind, name: string): Promise<readonly FoundText[]> => {
    const [kept, among, accepted] = await Promise.all([
      identity.kept(who, kind, name),
      repository.find(who, kind, name),
      answers.accepted(who.conversationId),
    ]);
    const stored = kept.flatMap(toFound).filter((one) => one.kind === kind && one.name === name);
    return [...stored, ...(among !== undefined && isAccepted(accepted, among) ? [among] : [])].sort(nearestLast);
  };

  return {
    findAgentDefinition: async (who, name) =>
      meetAgents((await holding(who, 'agent', name)).flatMap((one) => readAs(one, 'agent') ?? [])),
    findSkill: async (who, name) =>
      (await holding(who, 'skill', name)).reduce<Awaited<ReturnType<Definitions['findSkill']>>>((before, one) => {
        const skill = readAs(one, 'skill');
        return skill === undefined ? before : { ...skill, level: one.level, digest: one.digest };
      }, undefined),
    list: async (who) => {
      const [kept, among, accepted] = await Promise.all([
        identity.kept(who, '', ''),
        repository.list(who),
        answers.accepted(who.conversationId),
      ]);
      const stored = kept.flatMap((one) => listedKept(one));
      const found = among.map((one) => listedFound(one, isAccepted(accepted, one)));
      const all = [...stored, ...found].sort(nearestLast);
      return all.map((one, at) =>
        one.kind === 'skill' && one.state === 'holds' && all.slice(at + 1).some((near) => covers(near, one))
          ? { ...one, state: 'shadowed' }
          : one,
      );
    },
  };
};

type Read<K extends DefinitionKind> = K extends 'agent'
  ? AgentDefinition
  : Extract<Extract<ReturnType<typeof readDefinition>, { ok: true }>['definition'], { kind: 'skill' }>;

/** Of a text that calls itself something else than its place does there is nothing. */
const readAs = <K extends DefinitionKind>({ kind, name, text }: FoundText, wanted: K): Read<K> | undefined => {
  const read = readDefinition(kind, text);
  return read.ok && kind === wanted && read.definition.name === name ? (read.definition as Read<K>) : undefined;
};

const isAccepted = (
  accepted: Awaited<ReturnType<AcceptedDefinitions['accepted']>>,
  { kind, name, digest }: FoundText,
): boolean => accepted.some((one) => one.kind === kind && one.name === name && one.digest === digest);

const covers = (near: ListedDefinition, far: ListedDefinition): boolean =>
  near.state === 'holds' && near.kind === far.kind && near.name === far.name;

const placeIn = ({ level }: Pick<FoundText, 'level'>): number => DEFINITION_LEVELS.indexOf(level);
const nearestLast = (a: Pick<FoundText, 'level'>, b: Pick<FoundText, 'level'>): number => placeIn(a) - placeIn(b);

const known = ({ kind, layer }: KeptDefinition): Pick<FoundText, 'kind' | 'level'> | undefined =>
  (kind === 'skill' || kind === 'agent') && (layer === 'workspace' || layer === 'user')
    ? { kind, level: layer }
    : undefined;

const toFound = (one: KeptDefinition): FoundText[] => {
  const of = known(one);
  const digest = createHash('sha256').update(one.text).digest('hex');
  return of === undefined ? [] : [{ ...of, name: one.name, text: one.text, digest }];
};

/** Identity stores only what can be read. */
const listedKept = (one: KeptDefinition): ListedDefinition[] => {
  const of = known(one);
  const { name, description } = one;
  return of === undefined ? [] : [{ ...of, name, description, state: 'holds', why: '', digest: '' }];
};

const listedFound = (one: FoundText, accepted: boolean): ListedDefinition => {
  const { kind, level, name, digest } = one;
  const read = readDefinition(kind, one.text);
  const about = { kind, level, name, digest };
  if (!read.ok) return { ...about, description: '', state: 'refused', why: `The document ${read.why}.` };
  const { definition } = read;
  if (definition.name !== name)
    return { ...about, description: '', state: 'refused', why: `It calls itself "${definition.name}".` };
  return { ...about, description: definition.description, state: accepted ? 'holds' : 'proposed', why: '' };
};
