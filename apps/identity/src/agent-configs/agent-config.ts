/** What a workspace lets @bravo do. Validation names the field; a limit of zero is refused, never read as "no limit". */
import { Fault } from '@bravo/faults';
import type { ConfigSnapshot } from '@bravo/policy';

/** What the broker judges calls by, and how many conversations, and apart from them how many delegates, may have a live pod at once (1 to 50). */
export type AgentConfig = Omit<ConfigSnapshot, 'policyVersion'> & {
  readonly maxConcurrent: number;
  readonly maxDelegates: number;
};

export interface VersionedConfig {
  readonly config: AgentConfig;
  /** 0: nobody has configured the workspace yet. */
  readonly version: number;
}

export interface AgentConfigStore {
  findConfig(workspaceId: string): Promise<VersionedConfig | undefined>;
  /** Writes version + 1 while the version is still `seen` (0: no row yet). Undefined when it moved on. */
  replaceConfig(change: {
    workspaceId: string;
    seen: number;
    config: AgentConfig;
    /** Names of the fields that differ, for the event. */
    changed: readonly string[];
    updatedBy: string;
    actor: string;
  }): Promise<VersionedConfig | undefined>;
}

/** What asks a person when a workspace is created (D20). */
export const FIRST_REQUIRE_APPROVAL: readonly string[] = [
  'execute_script',
  'connector_push',
  'connector_pull',
  'merge_stream',
  'create_project',
  'tm_import',
];

/** In force while nobody has configured the workspace: off. */
export const UNCONFIGURED: AgentConfig = {
  enabled: false,
  allowedTools: [],
  deniedTools: [],
  requireApproval: FIRST_REQUIRE_APPROVAL,
  codeExecEnabled: false,
  maxConcurrent: 3,
  maxDelegates: 8,
};

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_TOOLS = 500;
const MAX_CONCURRENT = 50;

const LISTS = [
  ['allowedTools', 'allowed_tools'],
  ['deniedTools', 'denied_tools'],
  ['requireApproval', 'require_approval'],
] as const;

/** Names of tools this release does not have are kept: a rule about a tool outlives its absence. */
export const checkAgentConfig = (config: AgentConfig): void => {
  for (const [key, field] of LISTS) {
    const names = config[key];
    const refuse = (why: string): never => {
      throw new Fault('invalid_argument', `${field} ${why}.`, { meta: { field } });
    };
    if (names.length > MAX_TOOLS) refuse(`has more than ${MAX_TOOLS} names`);
    const bad = names.find((name) => !TOOL_NAME.test(name));
    if (bad !== undefined) refuse(`holds ${JSON.stringify(bad.slice(0, 130))}, which cannot be a tool's name`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) refuse(`names ${twice} twice`);
  }
  checkPlaces(config.maxConcurrent, 'max_concurrent', 'to stop @bravo set enabled to false');
  checkPlaces(config.maxDelegates, 'max_delegates', 'to have no delegates put spawn_agent among denied_tools');
};

const checkPlaces = (places: number, field: string, instead: string): void => {
  if (Number.isInteger(places) && places >= 1 && places <= MAX_CONCURRENT) return;
  throw new Fault('invalid_argument', `${field} must be a whole number from 1 to ${MAX_CONCURRENT}; ${instead}.`, {
    meta: { field },
  });
};

/** Names of the fields in which two configurations differ, as the API calls them. */
export const changedFields = (before: AgentConfig, after: AgentConfig): string[] => {
  const fields: [string, (config: AgentConfig) => unknown][] = [
    ['enabled', (config) => config.enabled],
    ...LISTS.map(([key, field]): [string, (config: AgentConfig) => unknown] => [
      field,
      (config) => config[key].join(','),
    ]),
    ['code_exec_enabled', (config) => config.codeExecEnabled],
    ['max_concurrent', (config) => config.maxConcurrent],
    ['max_delegates', (config) => config.maxDelegates],
  ];
  return fields.filter(([, read]) => read(before) !== read(after)).map(([field]) => field);
};
