/** A message goes all the way and back: asked, approved or refused, run in the sandbox, answered, and in the trail. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';
import { TERMINAL } from './support/rest-client.ts';

const stage = usePlatform();

describe('a message with a program', () => {
  it('is asked, approved with reading, run and answered, with one terminal event and the whole story in the trail [turn.answer] [quarantine.release] [trail.story] [trail.verify]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, question, toolCall } = await askForProgram(alice, conversation);
    expect(question.data).toMatchObject({ tool: 'execute_script', input: { language: 'python', code: 'print(6*7)' } });
    expect(log.events.filter((event) => event.event === 'status').map((event) => event.data['state'])).toEqual(expect.arrayContaining(['waking', 'running']));
    expect((await alice.answer(conversation, toolCall, 'approve', { trust_output: true })).status).toBe(200);
    await log.terminal();
    expect(log.events.filter((event) => TERMINAL.includes(event.event))).toHaveLength(1);
    expect(log.events.at(-1)).toMatchObject({ event: 'message_end', data: { usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) } } });
    expect(log.text()).toContain('42');
    expect(log.count('tool_call_start')).toBe(1);
    expect(log.events.find((event) => event.event === 'tool_call_end')).toMatchObject({ data: { id: toolCall, status: 'completed', label: { integrity: 'trusted', confidentiality: 'private' } } });

    const trail = await eventually('the trail to hold the end of the turn', async () => {
      const entries = await alice.trail(conversation);
      return entries.some((entry) => entry.type === 'agent.turn.finished') && entries;
    });
    const types = trail.map((entry) => entry.type);
    for (const type of ['agent.conversation.created', 'agent.message.received', 'agent.pod.claimed', 'agent.tool.requested', 'agent.tool.decided', 'agent.tool.approval_requested', 'agent.tool.approved', 'agent.code.executed', 'agent.tool.executed', 'agent.message.sent', 'agent.turn.finished']) {
      expect(types).toContain(type);
    }
    const approved = trail.find((entry) => entry.type === 'agent.tool.approved');
    expect(approved?.actor).toMatch(/^user:usr_/);
    expect(trail.find((entry) => entry.type === 'agent.tool.requested')?.actor).toMatch(/^bravo:usr_/);
    expect(JSON.stringify(trail)).not.toContain('print(6*7)');
    const verified = await eventually('the log to verify with this conversation in it', async () => {
      const answer = (await alice.get('/audit/verify')) as { ok: boolean; checkpoint_size: number; size: number };
      return answer.checkpoint_size === answer.size && answer;
    });
    expect(verified.ok).toBe(true);
  });

  it('approved plainly gives the planner a reference and the person the bytes [quarantine.reference] [quarantine.release] [quarantine.owner]', async () => {
    const { alice, bob } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation, "print('quarantined ' * 3)");
    await alice.answer(conversation, toolCall, 'approve');
    await log.terminal();
    expect(log.text()).toMatch(/ref:\d+/);
    expect(JSON.stringify(log.events.filter((event) => event.event !== 'needs_approval' && event.event !== 'tool_call_start'))).not.toContain('quarantined quarantined');
    const end = log.events.find((event) => event.event === 'tool_call_end');
    const [ref] = end?.data['refs'] as { number: number }[];
    const slot = await alice.call('GET', `/bravo/conversations/${conversation}/slots/${ref?.number}`);
    expect(JSON.stringify(slot.body)).toContain('quarantined quarantined');
    expect((await bob.call('GET', `/bravo/conversations/${conversation}/slots/${ref?.number}`)).status).toBe(404);
  });

  it('denied has no effect and says so [approval.deny]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation);
    expect((await alice.answer(conversation, toolCall, 'deny')).status).toBe(200);
    await log.terminal();
    expect(log.text()).not.toContain('42');
    expect(log.text().toLowerCase()).toMatch(/den(y|ied)|refus|not allowed|said no/);
    expect((await alice.trail(conversation)).map((entry) => entry.type)).not.toContain('agent.code.executed');
  });

  it('is answered once: a second answer and the other answer are conflicts [approval.once]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation);
    const answers = await Promise.all([1, 2, 3, 4].map(() => alice.answer(conversation, toolCall, 'approve', { trust_output: true })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    await log.terminal();
    const denied = await alice.answer(conversation, toolCall, 'deny');
    expect(denied).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await eventually('one execution in the trail', async () => (await alice.trail(conversation)).filter((entry) => entry.type === 'agent.code.executed').length === 1);
  });

  it('asked for again is a new question, and so is one changed byte [approval.exact-call]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const first = await askForProgram(alice, conversation, 'print(1)');
    await alice.answer(conversation, first.toolCall, 'approve', { trust_output: true });
    await first.log.terminal();
    for (const code of ['print(1)', 'print(2)']) {
      const next = await askForProgram(alice, conversation, code);
      expect(next.toolCall).not.toBe(first.toolCall);
      await alice.answer(conversation, next.toolCall, 'deny');
      await next.log.terminal();
    }
  });
});

describe('a client', () => {
  it('that does not stream gets the finished message of the same real turn [turn.json-client]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const waiting = alice.call('POST', `/bravo/conversations/${conversation}/messages`, { content: 'run this python: print(6*7)' });
    const question = await eventually('the question in the inbox', async () => {
      const { approvals } = (await alice.get('/bravo/approvals')) as { approvals: { conversation_id: string; tool_call_id: string }[] };
      return approvals.find((approval) => approval.conversation_id === conversation);
    });
    await alice.answer(conversation, question.tool_call_id, 'approve', { trust_output: true });
    const reply = await waiting;
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).toContain('42');
  });

  it('that sends the same Idempotency-Key twice gets one message and one turn [turn.idempotent]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const key = { 'idempotency-key': 'once-please' };
    const [first, second] = await Promise.all([1, 2].map(() => alice.call('POST', `/bravo/conversations/${conversation}/messages`, { content: 'what can you do?' }, key)));
    expect(first?.status).toBe(200);
    expect(second?.body).toEqual(first?.body);
    const { messages } = (await alice.get(`/bravo/conversations/${conversation}/messages`)) as { messages: { role: string }[] };
    expect(messages.filter((message) => message.role === 'user')).toHaveLength(1);
  });

  it('that is cut off goes on at another gateway and misses nothing, twice nothing [turn.resume]', async () => {
    const { alice, platform } = stage;
    const other = alice.at(await platform.startExtraGateway());
    const conversation = await alice.createConversation();
    const whole = await alice.follow(conversation);
    const { log, toolCall } = await askForProgram(alice, conversation, "print('x' * 10)");
    log.close();
    const last = log.events.at(-1)?.id ?? '';
    const resumed = await other.follow(conversation, last);
    await other.answer(conversation, toolCall, 'approve', { trust_output: true });
    await resumed.terminal();
    await whole.terminal();
    const ids = [...log.events, ...resumed.events].map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(whole.events.map((event) => event.id));
    whole.close();
    resumed.close();
    const foreign = await alice.call('GET', `/bravo/conversations/${conversation}/events?after=cnv_00000000000000000000000000:1`, undefined, { accept: 'text/event-stream' });
    expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_argument' } });
  });

  it('that cancels ends the turn within two seconds, and may do so again [turn.cancel]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation);
    const begun = Date.now();
    expect((await alice.call('POST', `/bravo/conversations/${conversation}/cancel`)).status).toBe(200);
    expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_cancelled' } });
    expect(Date.now() - begun).toBeLessThan(2_000);
    // What was asked went with the turn: a yes that comes later starts nothing.
    expect(await alice.answer(conversation, toolCall, 'approve')).toMatchObject({ status: 409, body: { code: 'approval_superseded' } });
    expect((await alice.call('POST', `/bravo/conversations/${conversation}/cancel`)).status).toBe(200);
    const again = await alice.say(conversation, 'what can you do?');
    expect(await again.terminal()).toMatchObject({ event: 'message_end' });
  });

  it('that cancels while the program runs ends the program too [turn.cancel] [effect.last-caller]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation, 'import time; time.sleep(50)');
    expect((await alice.answer(conversation, toolCall, 'approve')).status).toBe(200);
    await log.until('approval_resolved');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await alice.call('POST', `/bravo/conversations/${conversation}/cancel`)).status).toBe(200);
    expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_cancelled' } });
    const executed = await eventually('the end of the program', async () => (await alice.trail(conversation)).find((entry) => entry.type === 'agent.code.executed'));
    expect(executed.data).toMatchObject({ outcome: 'cancelled' });
    expect(executed.data['duration_ms']).toBeLessThan(20_000);
  });

  it('that writes while a turn runs is queued, and that message is the next turn [turn.queue]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation);
    const queued = await alice.say(conversation, 'what can you do?');
    await queued.until((event) => event.event === 'status' && event.data['state'] === 'queued');
    await alice.answer(conversation, toolCall, 'approve', { trust_output: true });
    await log.terminal();
    expect(log.text()).toContain('42');
    expect(await queued.terminal()).toMatchObject({ event: 'message_end' });
  });
});

describe('files', () => {
  it('written by Bravo from the person\'s words are read back as text, and listed', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const log = await alice.say(conversation, 'write a file notes.txt with the text: hello spine');
    const question = await log.until('needs_approval');
    expect(JSON.stringify(question.data['input'])).toContain('hello spine');
    await alice.answer(conversation, String(question.data['id']), 'approve');
    expect(await log.terminal()).toMatchObject({ event: 'message_end' });
    const read = await alice.say(conversation, 'show the file notes.txt');
    await read.terminal();
    expect(read.text()).toContain('hello spine');
    const list = await alice.say(conversation, 'list files');
    await list.terminal();
    expect(list.text()).toContain('notes.txt');
  });
});
