/** Skills and agent definitions as the broker finds them: of the workspace, of the person, and among the conversation's files. */
import type { AgentDefinition, DefinitionKind, SkillDefinition } from '@bravo/policy';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

/** Weakest first. */
export const DEFINITION_LEVELS = ['workspace', 'user', 'repository'] as const;
export type DefinitionLevel = (typeof DEFINITION_LEVELS)[number];

export type { DefinitionKind };

/** One text at one place. */
export interface FoundText {
  readonly kind: DefinitionKind;
  readonly level: DefinitionLevel;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly digest: string;
}

/**
 * `holds`: the agent may be told of it. `shadowed`: a nearer skill of the same name holds. `proposed`: it lies among the files and
 * nobody accepted exactly this text. `refused`: it is there and is none.
 */
export type DefinitionState = 'holds' | 'shadowed' | 'proposed' | 'refused';

export interface ListedDefinition {
  readonly kind: DefinitionKind;
  readonly level: DefinitionLevel;
  readonly name: string;
  readonly description: string;
  readonly state: DefinitionState;
  /** Of a refused one; else empty. */
  readonly why: string;
  readonly digest: string;
}

export interface FoundSkill extends SkillDefinition {
  readonly level: DefinitionLevel;
  readonly digest: string;
}

/** `who` names the conversation whose files and answers count: of a delegate, its root. Every method throws a Fault where somebody who has to be asked does not answer. */
export interface Definitions {
  /**
   * By its exact name: what holds of it on every level, met so that a nearer level only takes away. Of what lies among the files only
   * what the person accepted counts, whoever vouched for the file.
   */
  findAgentDefinition(who: OnBehalfOf, name: string): Promise<AgentDefinition | undefined>;
  /** By its exact name: the nearest that holds. */
  findSkill(who: OnBehalfOf, name: string): Promise<FoundSkill | undefined>;
  /** Everything there is, for the person; an agent may be told of what holds and of nothing else. */
  list(who: OnBehalfOf): Promise<readonly ListedDefinition[]>;
}

/** What identity keeps. */
export interface KeptDefinitions {
  /** @param name empty: all, without their texts. */
  kept(
    of: { workspaceId: string; userId: string },
    kind: DefinitionKind | '',
    name: string,
  ): Promise<readonly KeptDefinition[]>;
}

export interface KeptDefinition {
  readonly kind: string;
  readonly layer: string;
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/** Which texts among the files the person let hold. */
export interface AcceptedDefinitions {
  accepted(conversationId: string): Promise<readonly { kind: string; name: string; digest: string }[]>;
  /** With its event; asked again it changes nothing. @throws Fault conversation_ended */
  accept(
    owner: { conversationId: string; workspaceId: string; userId: string },
    definition: { kind: DefinitionKind; name: string; digest: string; bytes: number },
  ): Promise<void>;
}
