/** The trail's sentences say what an entry says, and no more. */
import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../api/contract.ts';
import { tellEntry } from './tell-entry.ts';

const entry = (type: string, data: Record<string, unknown>, actor = 'user:usr_a'): AuditEntry => ({
  index: 0,
  leaf_hash: '',
  event_id: 'evt_1',
  type,
  actor,
  producer: 'broker',
  time: '',
  data,
});
const tell = (type: string, data: Record<string, unknown>, actor?: string) =>
  tellEntry(entry(type, data, actor), (a) => (a === 'user:usr_a' ? 'Alice' : '@bravo'));

describe('an entry', () => {
  it('tells who asked, what was decided and why, who approved and what came back', () => {
    expect(tell('agent.message.received', { source: 'person', bytes: 27, digest: 'ab' }).title).toBe('Alice asked');
    expect(
      tell('agent.tool.decided', { effect: 'ask', reasons: [{ code: 'approval_required', text: 'Because.' }] }),
    ).toMatchObject({ tone: 'ask', title: 'Policy left it to a person', details: ['Because.'] });
    expect(tell('agent.tool.approved', { tool: 'execute_script', trust_output: true })).toMatchObject({
      title: 'Alice approved execute_script',
      details: ['@bravo may read the output.'],
    });
    expect(
      tell('agent.tool.executed', {
        tool: 'execute_script',
        status: 'completed',
        duration_ms: 412,
        refs: 1,
        output_digest: 'cd',
        label: { integrity: 'untrusted', confidentiality: 'private' },
      }),
    ).toMatchObject({
      details: ['One result is behind a reference, out of @bravo’s sight.'],
      facts: [
        ['output SHA-256', 'cd'],
        ['took', '412 ms'],
        ['label', 'untrusted, private'],
      ],
    });
  });

  it('takes a decision it cannot read for a refusal and an unknown outcome for unknown', () => {
    expect(tell('agent.tool.decided', {}).tone).toBe('bad');
    expect(tell('agent.tool.executed', { tool: 'write_file', status: 'outcome_unknown' }).title).toContain('not known');
  });

  it('names an event of a later release by its type', () => {
    expect(tell('agent.thing.happened', {}).title).toBe('thing happened');
  });
});
