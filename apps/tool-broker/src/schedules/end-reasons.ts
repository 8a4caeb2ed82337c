/** Why a loop, goal or watch ended: a closed list, each with the sentence its person reads. No word of a file or a model is among them. */

export const END_REASONS = {
  person: 'You stopped it.',
  turn_stopped: 'You stopped its turn, so it is not asked again.',
  age: 'It had lived for seven days, which is as long as one may.',
  silent: 'Two of its turns in a row did not say when to look again.',
  failed: 'Three of its turns in a row failed.',
  met: 'A check found that the goal is met.',
  impossible: 'A check found that the goal cannot be met.',
  rounds: 'It had ten rounds, which is as many as a goal has.',
  unjudged: 'The agent was shown untrusted text, so nothing can judge any more whether the goal is met.',
  budget: 'What may be spent on models is used up.',
  left: 'You are no longer a member of the workspace.',
  permission: 'You may no longer view content in this workspace.',
  feature: '@bravo is switched off for this workspace.',
  attached: 'An agent of your own is attached to the conversation, and it is asked by you alone.',
  denied: 'A permission rule denies reading the file.',
  file_gone: 'The file is gone, or something else stands in its place.',
  conversation_ended: 'The conversation has ended.',
} as const;

export type EndReason = keyof typeof END_REASONS;

export const isEndReason = (text: string): text is EndReason => Object.hasOwn(END_REASONS, text);

/** What the orchestrator drops work for, by its fault. */
export const reasonOfDrop = (code: string): EndReason =>
  code === 'feature_off' || code === 'agent_disabled'
    ? 'feature'
    : code === 'permission_denied'
      ? 'left'
      : code === 'attached'
        ? 'attached'
        : 'conversation_ended';
