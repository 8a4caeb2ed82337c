/** A file nobody vouched for is read, worked on and written back by a planner that never sees a byte of it; every pod keeps what it hears, and is searched. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';

const stage = usePlatform();
const WORDS = 'quokka wombat numbat';

describe('quarantined content', () => {
  it('is worked on and written back unseen, in the diff the person approves, with its trail [quarantine.reference] [processor.taint] [processor.destination] [preview.honest]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const at = `/bravo/conversations/${conversation}`;
    const program = await askForProgram(alice, conversation, `print("quokka " + "wombat " + "numbat")`);
    await alice.answer(conversation, program.toolCall, 'approve');
    await program.log.terminal();

    const approved = async (message: string) => {
      const log = await alice.say(conversation, message);
      const question = await log.until('needs_approval');
      const id = String(question.data['id']);
      const preview = (await alice.get(`${at}/tool-calls/${id}/preview`)) as { rows: { kind: string; text: string }[]; added: number; removed: number };
      await alice.answer(conversation, id, 'approve');
      await log.terminal();
      return { log, preview };
    };
    const refOf = (text: string): string => text.match(/ref:\d+/)?.[0] ?? 'none';

    const saved = await approved(`write ${refOf(program.log.text())} to notes.txt`);
    expect(saved.preview.rows).toContainEqual(expect.objectContaining({ kind: 'added', text: WORDS }));
    const shown = await alice.say(conversation, 'show notes.txt');
    await shown.terminal();
    const processed = await alice.say(conversation, `process ${refOf(shown.text())}: make it upper case`);
    await processed.terminal();
    expect(processed.text()).toMatch(/ref:\d+ - answer of a processor about ref:\d+/);

    const back = await approved(`write ${refOf(processed.text().slice(processed.text().indexOf('gave:')))} to notes.txt`);
    expect(back.preview).toMatchObject({ added: 1, removed: 1 });
    expect(back.preview.rows).toContainEqual(expect.objectContaining({ kind: 'removed', text: WORDS, before: 1 }));
    expect(back.preview.rows).toContainEqual(expect.objectContaining({ kind: 'added', text: WORDS.toUpperCase(), after: 1 }));

    const again = await alice.say(conversation, 'show notes.txt');
    await again.terminal();
    const slot = (await alice.get(`${at}/slots/${refOf(again.text()).slice(4)}`)) as { text: string };
    expect(slot.text).toBe(`${WORDS.toUpperCase()}\n`);
    for (const { text } of [saved.log, shown, processed, back.log, again].map((log) => ({ text: log.text() }))) expect(text).not.toMatch(/wombat/i);

    const trail = await eventually('the trail to hold the last turn', async () => {
      const entries = await alice.trail(conversation);
      return entries.filter(({ type }) => type === 'agent.turn.finished').length === 6 && entries;
    });
    expect(trail.filter(({ type }) => type === 'agent.tool.executed').map(({ data }) => data['tool'])).toEqual(['execute_script', 'write_file', 'read_file', 'spawn_processor', 'write_file', 'read_file']);
    expect(trail.some(({ type }) => type === 'agent.content.released')).toBe(false);
    expect(JSON.stringify(trail)).not.toMatch(/wombat/i);
  });
});
