import { describe, expect, it } from '@jest/globals';
import type { Approval } from '../approvals/approval.ts';
import { createGetPreview } from './get-preview.ts';

const approval = { id: 'apr_1', userId: 'usr_1', workspaceId: 'ws_1', conversationId: 'cnv_1' } as Approval;
const getPreview = createGetPreview({
  findByToolCall: async (id) => (id === 'tc_1' ? approval : undefined),
  preview: async () => '{"rows":[]}',
});
const person = { userId: 'usr_1', workspaceId: 'ws_1' };

describe('what was drawn is shown to nobody but its person [preview.owner]', () => {
  it('and to them', async () => {
    expect(await getPreview(person, 'cnv_1', 'tc_1')).toBe('{"rows":[]}');
  });

  it.each([
    ['another person', { ...person, userId: 'usr_2' }, 'cnv_1', 'tc_1'],
    ['another workspace', { ...person, workspaceId: 'ws_2' }, 'cnv_1', 'tc_1'],
    ['another conversation', person, 'cnv_2', 'tc_1'],
    ['a call that never was', person, 'cnv_1', 'tc_2'],
  ])('%s', async (_, who, conversation, call) => {
    await expect(getPreview(who, conversation, call)).rejects.toMatchObject({ code: 'not_found' });
  });
});
