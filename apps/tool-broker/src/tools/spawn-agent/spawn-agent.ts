/** Starts delegates and says which. It waits for none of them: what they find comes as messages of their own. */
import { type Execute, failed } from '../effect.ts';
import { plural } from '../text.ts';

export const spawnAgent: Execute = async ({ call, who, toolCallId }, { openDelegates }) => {
  const task = String(call.arguments['task']);
  const each = call.arguments['each'] as readonly string[] | undefined;
  const tasks = each === undefined ? [task] : each.map((entry) => `${task}\n\n${entry}`);
  const kind = String(call.arguments['kind']);
  const { names, refusedBecause, tools } = await openDelegates({ who, toolCallId, kind, tasks });
  if (names.length === 0) return failed('resource_exhausted', `No delegate was started: ${refusedBecause}`);
  const left = tasks.length - names.length;
  return {
    status: 'completed',
    summary: [
      `Started ${plural(names.length, `${kind} delegate`)}: ${names.join(', ')}. Each holds ${tools.join(', ')}.`,
      ...(left === 0 ? [] : [`${left} did not start: ${refusedBecause}`]),
      'Each report comes later as a message of its own; nothing waits for it.',
    ],
    outputs: [],
  };
};
