/** Manifest of `run`: one command line, compiled to a plan that a person sees before it runs; no shell takes part. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const runTool: ToolDefinition = {
  manifest: {
    name: 'run',
    title: 'Run a command line',
    description:
      'Runs one command line over the files of this conversation, without a shell. It may hold programs with arguments, |, &&, ||, ;, < > >> 2> 2>> &> 2>&1, NAME=value before a program, patterns such as *.txt. ' +
      'No variables, no $( ), no loops, no newline. A person sees the compiled plan and is usually asked first. You are told the exit code of each step; what it prints comes back as references such as ref:2, or as text when the person lets you read it or the line only reads files they vouched for. ' +
      'With background it goes on by itself and you get a job name for job_output.',
    origin: 'first_party',
    arguments: {
      // Resolved before the line, which is read from there.
      directory: { class: 'routing', reaches: 'directory' },
      command: { class: 'routing', reaches: 'command_line' },
      stdin_ref: { class: 'routing', reaches: 'reference' },
      deadline_seconds: { class: 'routing', reaches: 'nothing' },
      background: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'Bash',
    permission: 'run_flows',
    effect: 'write',
    external: false,
    confined: true,
    runsCode: true,
    starts: 'nothing',
    defaultGate: 'unless_proven',
    resultLabel: { kind: 'program_output' },
    modes: ['coworker'],
    // The line's own 600 s, its turn in the queue, and what keeping its files may take.
    limits: { timeoutSeconds: 1_300, maxResultChars: LIMITS['run-output'].value },
  },
  inputSchema: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        minLength: 1,
        maxLength: 8_000,
        description: 'The command line, for example: grep -n TODO src/app.ts | head -n 20',
      },
      directory: { ...WORKSPACE_PATH, description: 'Directory of the workspace to run in; left out, its root.' },
      deadline_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        description: 'Default 300, at most 600. Without effect on a background job, which may go on for six hours.',
      },
      background: { type: 'boolean', description: 'True: start it, and come back at once with a job name.' },
      stdin_ref: {
        type: 'string',
        pattern: '^ref:[1-9][0-9]{0,8}$',
        description: 'A reference whose content the first program reads, unseen by you. A person is always asked.',
      },
      why: WHY,
    },
    required: ['command'],
    additionalProperties: false,
  },
  example: { command: 'grep -c error log.txt' },
};
