import { describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import type { Caller } from '../callers/caller.ts';
import { createApproveCall } from './approve-call.ts';

const caller = {
  person: { id: 'usr_1' },
  membership: { workspace_id: 'ws_1', role: 'member', permissions: [] },
  permissions: [],
  scopes: [],
} as unknown as Caller;
const answer = { conversationId: 'cnv_1', toolCallId: 'tc_1', decision: 'approve', trustOutput: false } as const;

const bench = ({ rule = 'Bash(make)', text = '{}', conflicts = 0, fails = false } = {}) => {
  const resolved: object[] = [];
  const written: { layer: string; text: string; seen: number }[] = [];
  const approve = createApproveCall({
    broker: {
      listOpenApprovals: async () =>
        [{ tool_call_id: 'tc_1', remember_rule: rule, grant_scope: { command: 'make' } }] as never,
      resolveApproval: async (_, given) => {
        resolved.push(given);
        return { status: 'approved' } as never;
      },
    },
    settings: {
      read: async () => ({ text, version: 3 }),
      readAbove: async () => ({ text, version: 3 }),
      replace: async (_, layer, __, changed, seen) => {
        if (fails) throw new Fault('permission_denied', 'You may not write settings.');
        if (conflicts-- > 0) throw new Fault('version_conflict', 'Somebody was quicker.');
        written.push({ layer, text: changed, seen });
        return 4;
      },
    },
  });
  return { approve, resolved, written };
};

describe('a line that is to be allowed from now on', () => {
  it('becomes the offered rule in the settings of its own person, and a grant of eight hours here [remember.own-layer]', async () => {
    const { approve, resolved, written } = bench({
      text: '{"model":"m","permissions":{"deny":["Edit"],"allow":["Read"]}}',
    });
    expect(await approve(caller, answer, true)).toMatchObject({ remembered: { rule: 'Bash(make)', problem: '' } });
    expect(resolved).toEqual([{ ...answer, grantTtlSeconds: 28_800 }]);
    expect(written.map(({ layer, seen }) => [layer, seen])).toEqual([['user', 3]]);
    expect(JSON.parse(written[0]!.text)).toEqual({
      model: 'm',
      permissions: { deny: ['Edit'], allow: ['Read', 'Bash(make)'] },
    });
  });

  it('is refused, and nothing approved, where nothing is offered [remember.own-layer]', async () => {
    const { approve, resolved, written } = bench({ rule: '' });
    await expect(approve(caller, answer, true)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect([resolved, written]).toEqual([[], []]);
  });

  it('is written once, also when somebody writes meanwhile, and stays approved where it cannot be', async () => {
    const twice = bench({ conflicts: 2 });
    await twice.approve(caller, answer, true);
    expect(twice.written).toHaveLength(1);
    const known = bench({ text: '{"permissions":{"allow":["Bash(make)"]}}' });
    await known.approve(caller, answer, true);
    expect(known.written).toEqual([]);
    for (const hindered of [
      bench({ fails: true }),
      bench({ text: '{"permissions":[]}' }),
      bench({ text: '{"permissions":{"allow":"x"}}' }),
    ]) {
      const approved = await hindered.approve(caller, answer, true);
      expect(approved).toMatchObject({ status: 'approved', remembered: { problem: expect.stringMatching(/./) } });
      expect(hindered.written).toEqual([]);
    }
  });

  it('writes nothing where the person only said yes', async () => {
    const { approve, resolved, written } = bench();
    await approve(caller, answer, false);
    expect([resolved.length, written]).toEqual([1, []]);
  });
});
