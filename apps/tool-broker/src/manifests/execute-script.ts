/** Manifest of `execute_script`: runs a program in the sandbox; what it prints is untrusted until a person lets the agent read it (D1). */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const LANGUAGES = ['python', 'node', 'bash'] as const;
export const MAX_CODE_CHARS = LIMITS['script-code'].value;
export const MAX_INPUT_FILES = LIMITS['script-files'].value;

export const executeScriptTool: ToolDefinition = {
  manifest: {
    name: 'execute_script',
    title: 'Run a script',
    description:
      'Runs a python, node or bash script in a sandbox without network and returns its exit code. A person is usually asked first. ' +
      'Its output is given to you as references such as ref:2 (the person sees the output), or as text when the person lets you read it. Files the script writes come back as references too.',
    origin: 'first_party',
    arguments: {
      language: { class: 'routing', reaches: 'nothing' },
      // Program text decides what happens, so it is never carried by reference.
      code: { class: 'routing', reaches: 'nothing' },
      files: { class: 'routing', reaches: 'input_files' },
      env: { class: 'routing', reaches: 'environment' },
      timeout_seconds: { class: 'routing', reaches: 'nothing' },
      memory_mb: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'Bash',
    permission: 'run_flows',
    effect: 'write',
    external: false,
    confined: true,
    runsCode: true,
    starts: 'nothing',
    // Approval comes from require_approval, which holds this tool unless an admin took it out (D20).
    defaultGate: 'none',
    resultLabel: { kind: 'program_output' },
    modes: ['coworker'],
    // The program's own 300 s, and what starting it and taking its files out may take.
    limits: { timeoutSeconds: 400, maxResultChars: 40_000 },
  },
  example: { language: 'python', code: 'print(6 * 7)', why: 'You asked what it comes to.' },
  inputSchema: {
    type: 'object',
    properties: {
      language: { type: 'string', enum: [...LANGUAGES], description: 'python, node or bash.' },
      code: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_CODE_CHARS,
        description: 'The whole program text. Print what should be seen.',
      },
      files: {
        type: 'array',
        maxItems: MAX_INPUT_FILES,
        uniqueItems: true,
        items: { ...WORKSPACE_PATH },
        description:
          'Paths of workspace files to copy in; the script finds them under the same paths in its working directory.',
      },
      env: {
        type: 'object',
        maxProperties: 32,
        propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' },
        additionalProperties: { type: 'string', maxLength: 4096, pattern: '^[^\\u0000]*$' },
        description: 'Environment variables of the script. A person is always asked.',
      },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: 86_400, description: 'Default 60, at most 300.' },
      memory_mb: { type: 'integer', minimum: 1, maximum: 1_048_576, description: 'Default 256.' },
      why: WHY,
    },
    required: ['language', 'code'],
    additionalProperties: false,
  },
};
