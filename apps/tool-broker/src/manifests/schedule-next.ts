/** Manifest of `schedule_next`: says when the line of this turn is asked again; it has no word for what is asked then. */
import { LIMITS, TRUSTED_PUBLIC } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const NEXT_SECONDS = { least: LIMITS['schedule-delay'].min, most: LIMITS['schedule-delay'].value } as const;

export const scheduleNextTool: ToolDefinition = {
  manifest: {
    name: 'schedule_next',
    title: 'Look again later',
    description:
      'Has the line of this turn asked again, unchanged, after a while. In a loop without an interval it sets the pace; in a turn on a line the person typed it begins such a loop. ' +
      `The wait is held between ${NEXT_SECONDS.least} and ${NEXT_SECONDS.most} seconds, and the answer says how long it is. To be told of a change of one file, watch_file is better.`,
    origin: 'first_party',
    arguments: {
      delay_seconds: { class: 'routing', reaches: 'nothing' },
      noop: { class: 'routing', reaches: 'nothing' },
      reason: { class: 'content' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'turn',
    defaultGate: 'none',
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 10, maxResultChars: 1_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      delay_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'How long to wait before the line is asked again.',
      },
      noop: { type: 'boolean', description: 'true: this look found nothing new.' },
      reason: { type: 'string', maxLength: 500, description: 'What you wait for, for the person to read.' },
      why: WHY,
    },
    required: ['delay_seconds', 'noop'],
    additionalProperties: false,
  },
  example: { delay_seconds: 300, noop: true, reason: 'The build still runs.', why: 'To look again when it has ended.' },
};
