/** Reads against a real database and stream: told when they are on record, shown when they take longer, and never left out of the trail. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileTool } from '../manifests/read-file.ts';
import { executeScriptTool } from '../manifests/execute-script.ts';
import { listFilesTool } from '../manifests/list-files.ts';
import { writeFileTool } from '../manifests/write-file.ts';
import { waitUntil } from '@bravo/testing';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';
import { isQuiet } from './answer-read.ts';

const bed = useBroker();
afterEach(() => void (bed.sandbox.whileListing = () => Promise.resolve()));

const callsOf = ({ conversationId }: Talk) => bed.database.toolCall.findMany({ where: { conversationId } });
const typesOf = async (talk: Talk) => (await bed.trail(talk)).map(({ type }) => type);
const toldOf = async (talk: Talk) => (await bed.stream(talk)).map(({ event }) => event);
const WHOLE = ['agent.tool.requested', 'agent.tool.decided', 'agent.tool.executed'];

describe('a read', () => {
  it('is answered once call, decision and end are on record and told, in that order [trail.reads]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    let seen: unknown[] = ['not asked'];
    bed.sandbox.whileListing = async () => void (seen = [await callsOf(talk), await typesOf(talk)].flat());
    expect((await client.call('list_files', {})).isError).toBe(false);
    expect(seen).toEqual([]);
    expect(await typesOf(talk)).toEqual(WHOLE);
    expect(await toldOf(talk)).toEqual(['tool_call_start', 'tool_call_end']);
    expect(await callsOf(talk)).toMatchObject([{ status: 'completed', tool: 'list_files', isError: false }]);
    await waitUntil('nothing to wait to be told', async () => (await bed.database.turnNotice.count()) === 0);
  });

  it('that takes longer is on record and shown while it runs [trail.reads]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    let go: () => void = () => undefined;
    bed.sandbox.whileListing = () => new Promise((resolve) => (go = resolve));
    const answer = client.call('list_files', {});
    await waitUntil('the call to be shown', async () => (await toldOf(talk)).includes('tool_call_start'));
    expect(await callsOf(talk)).toMatchObject([{ status: 'running' }]);
    expect(await typesOf(talk)).toEqual(WHOLE.slice(0, 2));
    go();
    expect((await answer).isError).toBe(false);
    expect(await typesOf(talk)).toEqual(WHOLE);
    expect(await toldOf(talk)).toEqual(['tool_call_start', 'tool_call_end']);
    expect(await callsOf(talk)).toMatchObject([{ status: 'completed' }]);
  });

  it('of a conversation that ends meanwhile tells nobody what it found [trail.reads]', async () => {
    const talk = await bed.begin();
    bed.sandbox.files.set(`${talk.conversationId}/found.txt`, Buffer.from('found'));
    const client = await openClient(bed, talk);
    bed.sandbox.whileListing = async () => {
      const orchestrator = await bed.as('orchestrator');
      await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
      orchestrator.close();
    };
    const answer = await client.call('list_files', {});
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/has ended/) });
    expect(JSON.stringify(answer)).not.toContain('found.txt');
    expect(await callsOf(talk)).toEqual([]);
    expect(await bed.database.slot.count({ where: { conversationId: talk.conversationId } })).toBe(0);
  });

  it('keeps names behind references with their slots and events', async () => {
    const talk = await bed.begin();
    bed.sandbox.files.set(`${talk.conversationId}/odd.txt`, Buffer.from('x'));
    const client = await openClient(bed, talk);
    expect((await client.call('list_files', {})).text).toContain('ref:1');
    expect(await typesOf(talk)).toEqual([...WHOLE, 'agent.content.quarantined']);
    const slots = await bed.database.slot.findMany({ where: { conversationId: talk.conversationId } });
    expect(slots.map(({ number, name }) => [number, name])).toEqual([[1, 'odd.txt']]);
  });

  it('is told after what waited before it', async () => {
    const talk = await bed.begin();
    const { conversationId, workspaceId } = talk;
    const client = await openClient(bed, talk);
    bed.sandbox.whileListing = async () => {
      const data = JSON.stringify({ current_mode: 'ask', required_mode: 'coworker', action: 'earlier' });
      await bed.database.turnNotice.create({ data: { conversationId, workspaceId, event: 'step_up', data } });
    };
    await client.call('list_files', {});
    expect(await toldOf(talk)).toEqual(['step_up', 'tool_call_start', 'tool_call_end']);
  });

  it('that fails is on record as failed', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    expect((await client.call('read_file', { path: 'missing.txt' })).isError).toBe(true);
    expect(await typesOf(talk)).toEqual(WHOLE);
    expect(await callsOf(talk)).toMatchObject([{ status: 'failed', isError: true }]);
  });
});

describe('a call that counts as quiet', () => {
  it('changes nothing, runs nothing and reaches nobody', () => {
    expect([readFileTool, listFilesTool].map(({ manifest }) => isQuiet(manifest))).toEqual([true, true]);
    expect([writeFileTool, executeScriptTool].map(({ manifest }) => isQuiet(manifest))).toEqual([false, false]);
    const { manifest } = readFileTool;
    for (const loud of [
      { ...manifest, external: true },
      { ...manifest, confined: false },
      { ...manifest, runsCode: true },
      { ...manifest, effect: 'write' as const },
      { ...manifest, starts: 'agent' as never },
      { ...manifest, origin: 'mcp' as never },
    ])
      expect(isQuiet(loud)).toBe(false);
  });
});
