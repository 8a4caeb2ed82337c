/** Puts the demo people and workspaces in place once; what people change afterwards is never put back, and production is never seeded. */
import { newId } from '@bravo/chassis/reference';
import { FIRST_REQUIRE_APPROVAL, type AgentConfig } from '../agent-configs/agent-config.ts';
import type { Feature } from '../features/feature.ts';
import type { Person, Workspace } from '../people/person.ts';

export interface SeededWorkspace {
  readonly workspace: Workspace;
  readonly members: readonly { readonly userId: string; readonly role: string }[];
  readonly features: readonly Feature[];
  readonly config: AgentConfig;
}

export interface SeedStore {
  /** All or nothing, and nothing when a seed of this name was applied before. @returns whether it was applied now. */
  applyOnce(
    name: string,
    content: { people: readonly Person[]; workspaces: readonly SeededWorkspace[] },
  ): Promise<boolean>;
}

const DEMO_CONFIG: AgentConfig = {
  enabled: true,
  allowedTools: [],
  deniedTools: [],
  requireApproval: FIRST_REQUIRE_APPROVAL,
  codeExecEnabled: true,
  maxConcurrent: 3,
  maxDelegates: 8,
};

const person = (name: string, displayName: string): Person => ({
  id: newId('usr'),
  name,
  displayName,
  email: `${name}@example.com`,
});

const workspace = (slug: string, name: string, members: SeededWorkspace['members']): SeededWorkspace => ({
  workspace: { id: newId('ws'), slug, name, plan: 'team' },
  members,
  features: ['bravo'],
  config: DEMO_CONFIG,
});

export const createSeedDemo =
  ({ seeds, production }: { seeds: SeedStore; production: boolean }) =>
  async (): Promise<boolean> => {
    if (production)
      throw new Error('BRAVO_SEED_DEMO is set in production: the demo people would be open doors. Unset it.');
    const [alice, bob, carol] = [
      person('alice', 'Alice Archer'),
      person('bob', 'Bob Baker'),
      person('carol', 'Carol Chen'),
    ];
    const acme = workspace('acme', 'Acme', [
      { userId: alice.id, role: 'admin' },
      { userId: bob.id, role: 'member' },
    ]);
    const globex = workspace('globex', 'Globex', [{ userId: carol.id, role: 'admin' }]);
    return seeds.applyOnce('demo-1', { people: [alice, bob, carol], workspaces: [acme, globex] });
  };
