/** Manifest of `job_output`: what a background job has printed since the last look, and whether it has ended; it may wait, and it may end the job. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const jobOutputTool: ToolDefinition = {
  manifest: {
    name: 'job_output',
    title: 'Look at a background job',
    description:
      'Tells what a background job has printed since you last looked, counted for standard and error output apart, and whether it has ended. ' +
      'wait_seconds watches until something new comes, the job ends or the time is over; kill ends the job. A job that ends is told to you once by itself too.',
    origin: 'first_party',
    arguments: {
      job: { class: 'routing', reaches: 'nothing' },
      kill: { class: 'routing', reaches: 'nothing' },
      wait_seconds: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'run_flows',
    // It starts nothing and changes no file; ending one's own job needs nobody's answer.
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'none',
    resultLabel: { kind: 'program_output' },
    modes: ['coworker'],
    limits: { timeoutSeconds: 650, maxResultChars: LIMITS['run-output'].value },
  },
  inputSchema: {
    type: 'object',
    properties: {
      job: {
        type: 'string',
        pattern: '^job:[1-9][0-9]{0,8}$',
        description: 'The name run gave you, for example job:1.',
      },
      kill: { type: 'boolean', description: 'True: end the job.' },
      wait_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: LIMITS['job-wait'].value,
        description: 'Watch for up to so long. Left out: look once.',
      },
      why: WHY,
    },
    required: ['job'],
    additionalProperties: false,
  },
  example: { job: 'job:1', wait_seconds: 30 },
};
