/** Facts and manifests for specs: a call that every step lets through, to be spoiled one fact at a time; production code must never import it. */
import type { ConfigSnapshot, Facts, ToolManifest } from './index.ts';
import { FRESH_CONTEXT, TRUSTED_PRIVATE, TRUSTED_PUBLIC } from './index.ts';

export const NOW = 1_800_000_000_000;

export function toolManifest(over: Partial<ToolManifest> = {}): ToolManifest {
  return {
    name: 'read_file',
    title: 'Read a file',
    description: 'Reads a file of the workspace.',
    origin: 'first_party',
    arguments: {
      path: { class: 'routing', reaches: 'read_path' },
      contents: { class: 'content' },
      ref: { class: 'content', reaches: 'reference' },
      why: { class: 'content' },
    },
    family: 'Read',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'none',
    resultLabel: { kind: 'fixed', label: TRUSTED_PRIVATE },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 100_000 },
    ...over,
  };
}

export function executeScript(over: Partial<ToolManifest> = {}): ToolManifest {
  return toolManifest({
    name: 'execute_script',
    title: 'Run a script',
    arguments: {
      language: { class: 'routing', reaches: 'nothing' },
      code: { class: 'routing', reaches: 'nothing' },
      files: { class: 'routing', reaches: 'input_files' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'run_flows',
    effect: 'write',
    runsCode: true,
    resultLabel: { kind: 'program_output' },
    modes: ['coworker'],
    ...over,
  });
}

export function configSnapshot(over: Partial<ConfigSnapshot> = {}): ConfigSnapshot {
  return {
    enabled: true,
    allowedTools: [],
    deniedTools: [],
    requireApproval: [],
    codeExecEnabled: true,
    policyVersion: 'p1',
    ...over,
  };
}

export function factsFor(manifest: ToolManifest, over: Partial<Facts> = {}): Facts {
  const given = over.arguments ?? { path: '/w/a.txt' };
  return {
    feature: 'on',
    config: configSnapshot(),
    tool: { kind: 'known', manifest, offered: true },
    principal: {
      userId: 'usr_1',
      conversationId: 'cnv_1',
      permissions: ['view_content', 'translate', 'manage_files', 'run_flows'],
    },
    mode: 'coworker',
    context: FRESH_CONTEXT,
    argumentLabels: Object.fromEntries(Object.keys(given).map((name) => [name, TRUSTED_PUBLIC])),
    resolvedTargets: 'path' in given ? { path: given['path'] } : {},
    paths: [],
    inputs: [],
    writesThroughReference: false,
    credentials: [],
    assignsEnvironment: false,
    proven: false,
    rules: { deny: [], ask: [], allow: [] },
    grants: [],
    watched: true,
    personCanAnswer: true,
    now: NOW,
    ...over,
    arguments: given,
  };
}
