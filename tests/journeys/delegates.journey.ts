/** Delegates through real processes: a second planner in a pod of its own finds something out, and what it says comes back as a message. */
import { describe, expect, it } from '@jest/globals';
import { wholeTrail } from '../hostile/support/person-side.ts';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();

interface Delegate {
  readonly conversation_id: string;
  readonly name: string;
  readonly state: string;
  readonly usage: { readonly input_tokens: number };
}

const delegatesOf = async (conversation: string): Promise<Delegate[]> =>
  ((await stage.alice.get(`/bravo/conversations/${conversation}/delegates`)) as { delegates: Delegate[] }).delegates;
const saidIn = async (conversation: string): Promise<{ role: string; content: string }[]> =>
  ((await stage.alice.get(`/bravo/conversations/${conversation}`)) as { messages: { role: string; content: string }[] })
    .messages;

/** A file the person let be written, which is vouched for by that. */
const withNotes = async (words: string): Promise<string> => {
  const conversation = await stage.alice.createConversation();
  const log = await stage.alice.say(conversation, `write a file notes.txt with ${words}`);
  const question = await log.until('needs_approval');
  await stage.alice.answer(conversation, String(question.data['id']), 'approve');
  await log.terminal();
  return conversation;
};

describe('a delegate', () => {
  it('works in a pod of its own on the same files and reports once, as a message of its own [delegate.report-once] [delegate.own-conversation]', async () => {
    const { alice } = stage;
    const conversation = await withNotes('quokka');
    const log = await alice.say(conversation, 'delegate to a reader: show notes.txt');
    await log.terminal();
    expect(log.text()).toContain('Started 1 reader delegate: d1.');
    const report = await eventually('the report', async () =>
      (await saidIn(conversation)).find(({ content }) => content.includes('[report]')),
    );
    expect(report.role).toBe('system');
    expect(report.content).toContain('[platform] The delegate d1 (reader) is done.');
    expect(report.content).toContain('quokka');
    await eventually('the answer to the report', async () =>
      (await saidIn(conversation)).some(
        ({ role, content }) => role === 'assistant' && content.includes('It reports:') && content.includes('quokka'),
      ),
    );

    const [delegate, ...others] = await eventually('its end', async () => {
      const found = await delegatesOf(conversation);
      return found[0]?.state === 'completed' && found;
    });
    expect(others).toEqual([]);
    expect(delegate).toMatchObject({
      name: 'd1',
      kind: 'reader',
      task: 'show notes.txt',
      depth: 1,
      parent_conversation_id: conversation,
    });
    expect(delegate!.usage.input_tokens).toBeGreaterThan(0);
    const { conversations } = (await alice.get('/bravo/conversations')) as { conversations: { id: string }[] };
    expect(conversations.map(({ id }) => id)).not.toContain(delegate!.conversation_id);
    expect((await saidIn(delegate!.conversation_id)).map(({ role }) => role)).toEqual(['user', 'assistant']);

    const trail = await eventually('its trail', async () => {
      const entries = await wholeTrail(alice, conversation);
      return entries.some(({ type }) => type === 'agent.delegate.finished') && entries;
    });
    expect(trail.find(({ type }) => type === 'agent.delegate.started')?.data).toMatchObject({
      name: 'd1',
      kind: 'reader',
      depth: 1,
      conversation_id: delegate!.conversation_id,
    });
    expect(trail.find(({ type }) => type === 'agent.delegate.finished')?.data).toMatchObject({
      outcome: 'completed',
      reported: 'words',
    });
    expect((await saidIn(conversation)).filter(({ content }) => content.includes('[report]'))).toHaveLength(1);
    expect(JSON.stringify(trail)).not.toContain('quokka');
  });
});
