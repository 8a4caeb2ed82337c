import type { Happening } from '../happenings/happening.ts';
import { tellNotification } from './tell-notification.ts';

const near = (limit: string): Happening => ({
  ...{ eventId: 'evt_1', type: 'agent.budget.near', time: new Date(0), workspaceId: 'ws_1', conversationId: '' },
  ...{ actor: 'service:models', ownerId: 'usr_bob', data: { limit, percent: 82 } },
});

it.each([
  ['personDailyTokens', '82 % of your tokens for today is used.', 'owner'],
  ['workspaceMonthlyCents', "82 % of the workspace's budget for this month is used.", 'auditors'],
  ['somethingNew', '82 % of the limit somethingNew is used.', 'owner'],
])('that %s is nearly used goes to who answers for it', (limit, text, whom) => {
  expect(tellNotification(near(limit), 60_000)).toEqual({ kind: 'budget_near', text, whom, subject: '' });
});
