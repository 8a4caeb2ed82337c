/** A program in the pod's place that knows the design tries everything it can think of. All of it is refused, recorded where that is promised, and the neighbours stay unhurt. */
import { describe, expect, it } from '@jest/globals';
import { createGrpcClient } from '@bravo/chassis/grpc-client';
import { createPrincipalSigner } from '@bravo/chassis/principal';
import { IdentityServiceService } from '@bravo/proto/identity';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { eventually } from '../journeys/support/eventually.ts';
import { askForProgram, usePlatform } from '../journeys/support/platform.ts';
import { RestClient } from '../journeys/support/rest-client.ts';
import { keepAttempts, type Outcome } from './support/attempts.ts';
import { abuseModels, floodBroker } from './support/flood.ts';
import { ANSWERING_METHODS, ANSWERING_NOTIFICATIONS, MISSHAPEN_READS, PATHS, PROGRAM, PROGRAM_CHANGES, REFERENCES, TOOL_NAMES, UNDECLARED } from './support/hostile-lists.ts';
import { tryOtherDoors } from './support/other-doors.ts';
import { tryInPodPlace } from './support/pod-place.ts';
import { tryAsPodUser } from './support/pod-user.ts';
import { callWithYes, denyAll, questionsOf, questionWhere, wholeTrail } from './support/person-side.ts';
import { describeReply, PodSeat, type ToolReply, within } from './support/pod-seat.ts';
import { sitDown } from './support/sit-down.ts';
import { WIRE_MESSAGES } from './support/wire-messages.ts';
import { floodWithWrongTokens } from './support/wrong-tokens.ts';

const stage = usePlatform();
const attempts = keepAttempts('hostile.json');
const REFUSED = 'a refusal that has no effect';

const sit = (name = 'alice'): Promise<PodSeat> => sitDown(stage.platform, name);
const refusedOutcome = (reply: ToolReply | 'held'): Outcome => ({ got: describeReply(reply), held: reply !== 'held' && reply.refused && reply.status < 500 });
const tryCall = (seat: PodSeat, attempt: string, tool: string, args: unknown): Promise<void> => {
  const patience = new AbortController();
  return attempts.try(attempt, REFUSED, async () => refusedOutcome(await within(8_000, seat.call(tool, args, patience.signal)))).finally(() => patience.abort());
};
const executions = async (conversation: string): Promise<number> => (await wholeTrail(stage.alice, conversation)).filter(({ type }) => type === 'agent.code.executed').length;

describe('a hostile pod', () => {
  it('gets no tool, argument or path that is not its own, and each try is in the trail [hostile.refused] [hostile.recorded]', async () => {
    const { alice } = stage;
    const other = await sit();
    const config = await alice.get('/bravo/config');
    await alice.send('PUT', '/bravo/config', { ...config, denied_tools: ['write_file'] });
    const seat = await sit().finally(() => alice.send('PUT', '/bravo/config', config));
    const tries: Promise<void>[] = [];
    const refuse = (attempt: string, tool: string, args: unknown): void => void tries.push(tryCall(seat, attempt, tool, args));
    await attempts.try('list the tools of a workspace that denies write_file', 'a list without it', async () => {
      const { text } = await seat.rpc('tools/list', {});
      return { got: [...text.matchAll(/"name":"(\w+)"/g)].map((match) => match[1]).join(' '), held: text.includes('"read_file"') && !text.includes('"write_file"') };
    });
    refuse('call write_file, which was not offered', 'write_file', { path: 'a.txt', contents: 'x' });
    for (const name of TOOL_NAMES) refuse(`call a tool named ${JSON.stringify(name).slice(0, 30)}`, name, { language: 'bash', code: 'id' });
    for (const extra of UNDECLARED(other.conversation)) refuse(`give execute_script the argument ${JSON.stringify(Object.keys(extra)[0])}`, 'execute_script', { language: 'bash', code: 'id', ...extra });
    for (const given of PATHS(other.conversation)) refuse(`read ${JSON.stringify(given).slice(0, 40)}`, 'read_file', { path: given });
    for (const [what, args] of MISSHAPEN_READS) refuse(`read with ${what}`, 'read_file', args);
    await Promise.all(tries);
    await alice.send('PATCH', `/bravo/conversations/${seat.conversation}/mode`, { mode: 'ask' });
    refuse('run a program in Ask mode', 'execute_script', { language: 'bash', code: 'id' });
    await Promise.all(tries);
    await attempts.try('do any of that unseen', `${tries.length} decisions in the trail, none of them to ask`, async () => {
      const decided = await eventually('a decision for each', async () => {
        const rows = (await wholeTrail(alice, seat.conversation)).filter(({ type }) => type === 'agent.tool.decided');
        return rows.length >= tries.length && rows;
      });
      const denied = decided.filter(({ data }) => data['effect'] === 'deny').length;
      // A read inside the workspace is allowed, and finds nothing.
      return { got: `${decided.length} recorded, ${denied} of them denied`, held: decided.length === tries.length && denied >= tries.length - 3 && decided.every(({ data }) => data['effect'] !== 'ask') };
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('reaches nothing of another conversation: no file, no reference, no question [hostile.neighbour-data]', async () => {
    const { alice, carol } = stage;
    const [victim, stranger, seat] = await Promise.all([sit(), sit('carol'), sit()]);
    const secret = `neighbour-${randomUUID()}`;
    await callWithYes(alice, victim, 'write_file', { path: 'plan.txt', contents: secret });
    const ran = await callWithYes(alice, victim, 'execute_script', { language: 'bash', code: `echo ${secret}` });
    expect(ran.out).toMatch(/ref:1 /);
    const theirs = victim.call('write_file', { path: 'waits.txt', contents: secret });
    const question = await questionWhere(alice, victim.conversation, () => true);
    for (const ref of REFERENCES(victim.conversation)) {
      await tryCall(seat, `save the reference ${JSON.stringify(ref).slice(0, 34)}`, 'write_file', { path: 'loot.txt', contents_ref: ref });
    }
    await tryCall(seat, "read the other conversation's file", 'read_file', { path: 'plan.txt' });
    for (const meta of [{ conversation: victim.conversation }, { 'bravo/conversation': victim.conversation, session_id: victim.conversation }]) {
      await attempts.try(`list files with _meta ${Object.keys(meta)[0]}`, 'its own, empty workspace', async () => {
        const reply = await seat.rpc('tools/call', { name: 'list_files', arguments: {}, _meta: meta }, { headers: { 'x-conversation-id': victim.conversation, 'mcp-session-id': victim.conversation } });
        return { got: describeReply(reply), held: /no entries/.test(reply.out) };
      });
    }
    for (const [who, person, at] of [['its own person', alice, seat.conversation], ['carol', carol, stranger.conversation]] as const) {
      await attempts.try(`answer the victim's question in the conversation of ${who}`, '404', async () => {
        const { status } = await person.answer(at, question.tool_call_id, 'approve');
        return { got: String(status), held: status === 404 };
      });
    }
    await alice.answer(victim.conversation, question.tool_call_id, 'deny');
    await theirs;
    await attempts.try("hear the neighbour's words anywhere", 'nowhere in what it received', () => {
      const found = [...seat.heard, ...stranger.heard].filter((text) => text.includes(secret)).length;
      return Promise.resolve({ got: `in ${found} of ${seat.heard.length} answers`, held: found === 0 });
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('gets no effect for a call that differs in one byte from the one approved [hostile.replay]', async () => {
    const { alice } = stage;
    const seat = await sit();
    for (const name of ['in.txt', 'in2.txt']) await callWithYes(alice, seat, 'write_file', { path: name, contents: name });
    const held = seat.call('execute_script', PROGRAM);
    const question = await questionWhere(alice, seat.conversation, ({ input }) => input['timeout_seconds'] === 30);
    const variants = PROGRAM_CHANGES.map(([what, change]) => ({ what, call: seat.call('execute_script', { ...PROGRAM, ...change }) }));
    const reworded = seat.call('execute_script', { ...PROGRAM, why: 'said otherwise' });
    await eventually('every changed call to be a question of its own', async () => (await questionsOf(alice, seat.conversation)).length === PROGRAM_CHANGES.length + 1);
    expect((await alice.answer(seat.conversation, question.tool_call_id, 'approve')).status).toBe(200);
    await attempts.try('the approved call itself', 'its one effect', async () => {
      const reply = await held;
      return { got: describeReply(reply), held: /Exit code 0/.test(reply.out) };
    });
    await attempts.try('the approved call with another why', 'the same effect, not a second', async () => {
      const reply = await within(10_000, reworded);
      return { got: describeReply(reply), held: reply !== 'held' && /Exit code 0/.test(reply.out) && (await executions(seat.conversation)) <= 1 };
    });
    for (const { what, call } of variants) {
      await attempts.try(`the approved call with one change in ${what}`, 'a question of its own', async () => ({ got: describeReply(await within(300, call)), held: (await within(1, call)) === 'held' }));
    }
    const again = seat.call('execute_script', PROGRAM);
    await attempts.try('the approved call once more', 'a new question', async () => ({ got: describeReply(await within(1_500, again)), held: (await within(1, again)) === 'held' }));
    await attempts.try('all of these together', 'one execution', async () => {
      const count = await eventually('the execution in the trail', () => executions(seat.conversation));
      return { got: `${count} executed`, held: count === 1 };
    });
    await eventually('every question to be denied', async () => (await denyAll(alice, seat.conversation)).length === 0);
    await Promise.all([...variants.map(({ call }) => call), again]);
    expect(attempts.wrong()).toEqual([]);
  });

  it('cannot answer its own question by anything it can send [hostile.own-answer] [approval.people-only]', async () => {
    const { alice } = stage;
    const seat = await sit();
    const args = { path: 'mine.txt', contents: 'x' };
    const patience = new AbortController();
    const held = seat.call('write_file', args, patience.signal).catch(() => undefined);
    const { id, tool_call_id } = await questionWhere(alice, seat.conversation, () => true);
    const yes = { action: 'accept', content: { approved: true }, decision: 'approve' };
    const params = { id, taskId: id, approval_id: id, tool_call_id, elicitationId: id, requestId: id, inputResponses: { approval: yes, [id]: yes }, ...yes };
    const stillAsked = async (got: string): Promise<Outcome> => {
      const open = await questionsOf(alice, seat.conversation);
      return { got, held: open.some((question) => question.id === id) };
    };
    for (const method of ANSWERING_METHODS) {
      await attempts.try(`answer with ${method}`, 'an error; the question waits on', async () => {
        const reply = await seat.rpc(method, params);
        const { got, held: open } = await stillAsked(describeReply(reply));
        return { got, held: open && reply.refused };
      });
    }
    for (const method of ANSWERING_NOTIFICATIONS) {
      await attempts.try(`answer with ${method}`, 'nothing; the question waits on', async () => stillAsked(describeReply(await seat.send(seat.mcpUrl, { jsonrpc: '2.0', method, params }))));
    }
    for (const answerId of [id, tool_call_id, 'approval', 1]) {
      await attempts.try(`answer with a JSON-RPC result for ${String(answerId).slice(0, 8)}`, 'nothing; the question waits on', async () => stillAsked(describeReply(await seat.send(seat.mcpUrl, { jsonrpc: '2.0', id: answerId, result: yes }))));
    }
    await attempts.try('make the call as a client that says it asked', 'held like any other', async () => stillAsked(describeReply(await within(1_500, seat.callModern('write_file', args, { inputResponses: { approval: yes } }, patience.signal).catch(() => 'held' as const)))));
    for (const extra of [{ approved: true }, { approval_id: id }, { inputResponses: { approval: yes } }]) {
      await attempts.try(`make the call with ${Object.keys(extra)[0]}`, REFUSED, async () => {
        const reply = await seat.call('write_file', { ...args, ...extra });
        return { got: describeReply(reply), held: reply.refused && (await stillAsked('')).held };
      });
    }
    await attempts.try('answer at the REST API with its own token', '401', async () => {
      const { status } = await new RestClient(alice.base, seat.token, 'acme').answer(seat.conversation, tool_call_id, 'approve');
      return { got: String(status), held: status === 401 && (await stillAsked('')).held };
    });
    await attempts.try('have its file by then', 'no file, no yes in the trail', async () => {
      const files = await seat.call('list_files', {});
      const approved = (await wholeTrail(alice, seat.conversation)).filter(({ type }) => type === 'agent.tool.approved').length;
      return { got: `${files.out.slice(0, 40)} ${approved} approved`, held: /no entries/.test(files.out) && approved === 0 };
    });
    await denyAll(alice, seat.conversation);
    await held;
    patience.abort();
    expect(attempts.wrong()).toEqual([]);
  });

  it('gets one effect for 50 identical calls at once, whoever answers how often [hostile.once] [approval.once]', async () => {
    const { alice } = stage;
    const seat = await sit();
    const calls = Array.from({ length: 50 }, (_, index) => seat.call('execute_script', { language: 'bash', code: 'echo $RANDOM$RANDOM', why: `reason ${index}` }));
    const question = await questionWhere(alice, seat.conversation, () => true);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await attempts.try('make 50 identical calls', 'one question', async () => {
      const open = await questionsOf(alice, seat.conversation);
      return { got: `${open.length} question`, held: open.length === 1 };
    });
    const answers = await Promise.all(Array.from({ length: 12 }, () => alice.answer(seat.conversation, question.tool_call_id, 'approve')));
    const yes = answers.filter(({ status }) => status === 200).length;
    const replies = await Promise.all(calls);
    const texts = new Set(replies.map(({ out }) => out));
    await attempts.try('be answered 12 times at once', 'one answer counts', () => Promise.resolve({ got: `${yes} taken, ${answers.filter(({ status }) => status === 409).length} refused as late`, held: yes === 1 && answers.every(({ status }) => status === 200 || status === 409) }));
    await attempts.try('hear the answer 50 times', 'one and the same', () => Promise.resolve({ got: `${replies.length} answers, ${texts.size} different: ${[...texts][0]?.slice(0, 40).replace(/\s+/g, ' ')}`, held: texts.size === 1 }));
    await attempts.try('get more than one effect', 'one execution', async () => {
      const count = await eventually('the execution in the trail', () => executions(seat.conversation));
      return { got: `${count} executed`, held: count === 1 };
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('finds every other door shut for its token, for its user and from its place [hostile.doors] [pod.token] [pod.contained]', async () => {
    const { alice, platform } = stage;
    const seat = await sit();
    await tryOtherDoors(attempts, platform, seat);
    await alice.say(await alice.createConversation(), 'what can you do?').then((log) => log.terminal());
    await tryAsPodUser(attempts, platform, alice.token);
    await tryInPodPlace(attempts, platform);
    expect(attempts.wrong()).toEqual([]);
  });

  it('has a token that calls nothing before it is bound and nothing after the end [hostile.token-life] [pod.unbound] [pod.token]', async () => {
    const { alice, platform } = stage;
    const seat = await sit();
    const held = seat.call('write_file', { path: 'late.txt', contents: 'x' });
    const { tool_call_id } = await questionWhere(alice, seat.conversation, () => true);
    await alice.send('DELETE', `/bravo/conversations/${seat.conversation}`);
    await attempts.try('have a held call approved after the end', 'no effect', async () => {
      const { status } = await alice.answer(seat.conversation, tool_call_id, 'approve');
      const reply = await within(10_000, held);
      return { got: `${status}; ${describeReply(reply)}`, held: status >= 400 && reply !== 'held' && reply.refused };
    });
    await attempts.try('call a tool after the end', '401 within a second', async () => {
      const began = Date.now();
      const reply = await eventually('the end of the token', async () => {
        const tried = await seat.call('list_files', {});
        if (!tried.refused) throw new Error(`it was let in: ${tried.out}`);
        return tried.status === 401 && tried;
      }, 5_000);
      return { got: `${describeReply(reply)} after ${Date.now() - began} ms`, held: reply.status === 401 && Date.now() - began < 2_000 };
    });
    await attempts.try('list tools after the end', '401', async () => refusedOutcome(await seat.rpc('tools/list', {})));
    await attempts.try('ask the model after the end', '401', async () => {
      const heard = await eventually('the end at the model gateway', async () => {
        const tried = await seat.complete({ messages: [{ role: 'user', content: 'help' }] });
        return tried.status === 401 && tried;
      }, 3_000);
      return { got: describeReply(heard), held: heard.status === 401 };
    });
    const identity = createGrpcClient(IdentityServiceService, { address: platform.grpcAddresses['identity'] ?? '', audience: 'identity', signer: await createPrincipalSigner('orchestrator', path.join(platform.home, 'keys', 'orchestrator.jwk.json')) });
    const { token } = await identity.mintAgentToken({ podId: `pod_${randomUUID().slice(0, 8)}`, ttlSeconds: 60 });
    identity.close();
    const warm = new PodSeat({ conversation: '', token, mcp_url: seat.mcpUrl, model_url: seat.modelUrl });
    await attempts.try('list tools with a token that is not bound', 'the first-party tools', async () => {
      const reply = await warm.rpc('tools/list', {});
      return { got: `${reply.status}, ${reply.text.match(/"inputSchema"/g)?.length ?? 0} tools`, held: !reply.refused };
    });
    for (const tool of ['list_files', 'read_file', 'write_file', 'execute_script', 'nothing']) await tryCall(warm, `call ${tool} with a token that is not bound`, tool, {});
    await attempts.try('ask the model with a token that is not bound', 'a refusal', async () => {
      const heard = await warm.complete({ messages: [{ role: 'user', content: 'help' }] });
      return { got: describeReply(heard), held: heard.status === 401 || heard.status === 403 };
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('is refused with messages no honest client sends, and the broker goes on [hostile.messages]', async () => {
    const seat = await sit();
    for (const [what, body, headers] of WIRE_MESSAGES) {
      await attempts.try(`send ${what}`, 'a refusal, not an error of ours', async () => {
        const heard = await seat.send(seat.mcpUrl, body, headers ? { headers } : {});
        const refused = heard.status === 0 || heard.status >= 400 || /"error"|"isError":true/.test(heard.text);
        return { got: describeReply(heard), held: refused && heard.status < 500 && !/went wrong on our side/.test(heard.text) };
      });
    }
    await attempts.try('an honest call afterwards', 'its answer', async () => {
      const reply = await seat.call('list_files', {});
      return { got: describeReply(reply), held: /no entries/.test(reply.out) };
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('cannot slow a neighbour down beyond a bound, however often it calls [hostile.flood]', async () => {
    const { alice, carol } = stage;
    const [seat, neighbour] = await Promise.all([sit(), sit('carol')]);
    await floodBroker(attempts, seat, alice, neighbour);
    await attempts.try('spoil the conversation of a neighbour', 'its program runs and is answered', async () => {
      const { log, toolCall } = await askForProgram(carol, await carol.createConversation());
      await carol.answer(String(log.events.find(({ event }) => event === 'needs_approval')?.id.split(':')[0]), toolCall, 'approve', { trust_output: true });
      const end = await log.terminal();
      return { got: `${end.event} ${/\b42\b/.test(log.text()) ? '42' : log.text().slice(0, 60)}`, held: end.event === 'message_end' && log.text().includes('42') };
    });
    expect(attempts.wrong()).toEqual([]);
  });

  it('cannot have identity asked at will with tokens nobody knows [hostile.unknown-tokens]', async () => {
    await floodWithWrongTokens(attempts, stage.platform, await sit());
    expect(attempts.wrong()).toEqual([]);
  });

  it('gets no other model, and leaves the model gateway as it was [hostile.models]', async () => {
    await abuseModels(attempts, await sit());
    expect(attempts.wrong()).toEqual([]);
  });
});
