import { describe, expect, it } from '@jest/globals';
import { MAX_PROMPT_BYTES, workItem } from '@bravo/events';
import { workAfterAnswer } from './continue-turn.ts';

const call = {
  id: 'apr_1',
  workspaceId: 'ws_1',
  conversationId: 'cnv_1',
  userId: 'usr_1',
  tool: 'write_file',
};
const promptOf = (input: string): string => workItem.parse(workAfterAnswer({ ...call, input }, 'approved')).prompt;

describe('the turn after an answer', () => {
  it('repeats the call', () => {
    expect(promptOf('{"path":"a.txt"}')).toMatch(/Arguments: \{"path":"a.txt"\}$/);
  });

  it('does not repeat one that is longer than a prompt may be, counted in bytes', () => {
    const umlauts = JSON.stringify({ contents: 'ä'.repeat(MAX_PROMPT_BYTES / 2) });
    expect(umlauts.length).toBeLessThan(MAX_PROMPT_BYTES);
    expect(promptOf(umlauts)).toMatch(/too long to repeat here; they are those of the call you made\.$/);
  });
});
