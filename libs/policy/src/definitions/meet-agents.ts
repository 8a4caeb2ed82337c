/** Several agent definitions under one name, made into one. Guarantees that a level nearer to the work only ever takes something away from what a farther one lets it do. */
import { AGENT_KINDS, type AgentDefinition } from './read-definition.ts';

/** @param definitions the farthest first (workspace, user, repository). @returns undefined of none. */
export function meetAgents(definitions: readonly AgentDefinition[]): AgentDefinition | undefined {
  return definitions.reduce<AgentDefinition | undefined>(
    (before, next) => (before === undefined ? next : meet(before, next)),
    undefined,
  );
}

function meet(far: AgentDefinition, near: AgentDefinition): AgentDefinition {
  const least = Math.min(AGENT_KINDS.indexOf(far.agentKind), AGENT_KINDS.indexOf(near.agentKind));
  return {
    ...near,
    agentKind: AGENT_KINDS[least] ?? 'reader',
    tools: both(far.tools, near.tools),
    skills: both(far.skills, near.skills),
    rounds: far.rounds === undefined ? near.rounds : Math.min(far.rounds, near.rounds ?? far.rounds),
  };
}

const both = (a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined =>
  a === undefined ? b : b === undefined ? a : a.filter((name) => b.includes(name));
