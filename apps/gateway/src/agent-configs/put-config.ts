/** Replaces the configuration. A name that is no tool's is refused, because it would deny or allow nothing; what was there before always goes back. */
import { Fault } from '@bravo/faults';
import { type Caller, subjectOf } from '../callers/caller.ts';
import type { Broker } from '../tool-calls/broker.ts';
import type { AgentConfig } from './agent-config-routes.ts';
import type { AgentConfigStore, VersionedConfig } from './agent-config-store.ts';
import { nearNames } from './near-names.ts';

export interface PutConfigParts {
  readonly configs: AgentConfigStore;
  readonly broker: Pick<Broker, 'listTools'>;
}

const LISTS = ['allowed_tools', 'denied_tools', 'require_approval'] as const;

export const createPutConfig =
  ({ configs, broker }: PutConfigParts) =>
  async (caller: Caller, config: AgentConfig, seen: number): Promise<VersionedConfig> => {
    const [tools, { config: present }] = await Promise.all([broker.listTools(subjectOf(caller)), configs.read(caller)]);
    const names = tools.map(({ name }) => name);
    const known = new Set([...names, ...LISTS.flatMap((list) => present[list])]);
    for (const list of LISTS) {
      const unknown = config[list].find((name) => !known.has(name));
      if (unknown !== undefined) throw noSuchTool(list, unknown, nearNames(unknown, names));
    }
    return configs.replace(caller, config, seen);
  };

export type PutConfig = ReturnType<typeof createPutConfig>;

const noSuchTool = (list: string, name: string, near: readonly string[]): Fault => {
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'GET …/bravo/tools lists them.';
  return new Fault(
    'invalid_argument',
    `The field "${list}" names "${name.slice(0, 64)}", and there is no such tool. ${hint}`,
    {
      meta: { field: list },
    },
  );
};
