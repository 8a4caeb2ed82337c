/** Manifest of `load_skill`: one of the skills the agent was listed, by its exact name, which never becomes a path. */
import { TRUSTED_PRIVATE } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const loadSkillTool: ToolDefinition = {
  manifest: {
    name: 'load_skill',
    title: 'Load a skill',
    description:
      'Reads one of the skills you were told of, by its name exactly as it was listed. What comes back is how people here want something done.',
    origin: 'first_party',
    arguments: {
      name: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'none',
    // Written by its person or their admins, or accepted by them byte for byte.
    resultLabel: { kind: 'fixed', label: TRUSTED_PRIVATE },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 40_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'The name as it was listed, for example commit-style.',
      },
      why: WHY,
    },
    required: ['name'],
    additionalProperties: false,
  },
  example: { name: 'commit-style' },
};
