/** Credentials in what is read and in what is written, through the whole broker: asked about once, refused without being repeated, and written down nowhere. */
import { describe, expect, it } from '@jest/globals';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { questionsOf } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker();
const { pendingOf, answer, rowsOf } = questionsOf(bed);

const KEY = ['sk-pr', 'oj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'].join('');
const OTHER = ['bwt', 'bravo', '0123456789abcdef'.repeat(3)].join('_');
const FILE = 'config/app.env';

const begin = async (content: string, path = FILE) => {
  const talk = await bed.begin('coworker');
  await place(talk, content, path);
  return { talk, client: await openClient(bed, talk) };
};
const place = async ({ conversationId }: Talk, content: string, path = FILE) => {
  bed.sandbox.files.set(`${conversationId}/${path}`, Buffer.from(content));
  await bed.database.pathTrust.upsert({
    where: { conversationId_path: { conversationId, path } },
    create: { conversationId, path, trusted: true, writtenBy: 'spec' },
    update: {},
  });
};
const previewOf = async (talk: Talk, toolCallId: string): Promise<string> => {
  const gateway = await bed.as('gateway');
  try {
    return (await gateway.getPreview({ conversationId: talk.conversationId, toolCallId }, bed.person(talk)))
      .previewJson;
  } finally {
    gateway.close();
  }
};
/** Everything the broker keeps or tells of a conversation but what is sealed. */
const written = async (talk: Talk): Promise<string> => {
  const { conversationId } = talk;
  const where = { where: { conversationId } };
  return JSON.stringify(
    [
      await bed.database.toolCall.findMany(where),
      await bed.database.approval.findMany(where),
      await bed.database.credentialFinding.findMany(where),
      await bed.trail(talk),
      await bed.stream(talk),
    ],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
};

describe('a file that holds a credential and is vouched for', () => {
  it('waits for a person who is told what and where, and is read after their yes [credentials.read]', async () => {
    const { talk, client } = await begin(`# app\n\nOPENAI=${KEY}\nPORT=80\n`);
    const held = client.call('read_file', { path: FILE });
    const question = await pendingOf(talk);
    expect(question.asks).toContain('an OpenAI key (line 3 of the file)');
    expect(await previewOf(talk, question.toolCallId)).toContain('an OpenAI key, line 3 of the file');
    expect(await written(talk)).not.toContain(KEY);
    await answer(talk, 'approve');
    const { text, isError } = await held;
    expect(isError).toBe(false);
    expect(text).toContain(KEY);
    expect(await rowsOf(talk)).toHaveLength(1);
  });

  it('is asked about once: what was let through is read on without a question, what is new is asked about [credentials.once]', async () => {
    const { talk, client } = await begin(`OPENAI=${KEY}\n`);
    const held = client.call('read_file', { path: FILE });
    await answer(talk, 'approve');
    await held;
    expect((await client.call('read_file', { path: FILE, limit: 1 })).text).toContain(KEY);
    await place(talk, `OPENAI=${KEY}\nTOKEN=${OTHER}\n`);
    const again = client.call('read_file', { path: FILE });
    const question = await pendingOf(talk);
    expect(question.asks).toContain('a token of this platform (line 2 of the file)');
    expect(question.asks).not.toContain('OpenAI');
    await answer(talk, 'deny');
    expect((await again).text).not.toContain(OTHER);
    expect((await client.call('read_file', { path: FILE, limit: 1 })).text).toContain(KEY);
    // Another conversation asks its own person.
    const { talk: other, client: stranger } = await begin(`OPENAI=${KEY}\n`);
    const asked = stranger.call('read_file', { path: FILE });
    await answer(other, 'deny');
    expect((await asked).text).not.toContain(KEY);
    const findings = await bed.database.credentialFinding.findMany({
      where: { conversationId: { in: [talk.conversationId, other.conversationId] } },
    });
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(3);
    expect(JSON.stringify(findings)).not.toMatch(/sk-|bwt_/);
  });

  it('is not shown after a no, nor without an answer', async () => {
    const { talk, client } = await begin(`OPENAI=${KEY}\n`);
    const held = client.call('read_file', { path: FILE });
    await answer(talk, 'deny');
    const { text, isError } = await held;
    expect(isError).toBe(true);
    expect(text).not.toContain(KEY);
    expect(await written(talk)).not.toContain(KEY);
  });

  it('holds one that begins on another page', async () => {
    const body = Array.from({ length: 30 }, (_, at) => `MIIEow${String(at).padStart(4, '0')}AbCdEfGhIjKlMnOpQrSt`).join(
      '\n',
    );
    const head = `-----BEGIN ${'RSA PRIVATE'} KEY-----`;
    const { talk, client } = await begin(`${head}\n${body}\n-----END ${'RSA PRIVATE'} KEY-----\nlast\n`);
    const held = client.call('read_file', { path: FILE, offset: 10, limit: 5 });
    expect((await pendingOf(talk)).asks).toContain('a private key (line 1 of the file)');
    await answer(talk, 'deny');
    await held;
    expect((await client.call('read_file', { path: FILE, offset: 33, limit: 1 })).text).toContain('last');
  });

  it('is asked about where a search or a rule shows it, too', async () => {
    const { talk, client } = await begin(`OPENAI=${KEY}\n`);
    const found = client.call('search', { pattern: 'OPENAI' });
    expect((await pendingOf(talk)).asks).toContain('credential_shown');
    await answer(talk, 'approve');
    expect((await found).text).toContain(KEY);

    const ruled = await bed.begin('coworker', { workspace: { permissions: { ask: ['Read'] } } });
    await place(ruled, `OPENAI=${KEY}\n`);
    const held = (await openClient(bed, ruled)).call('read_file', { path: FILE });
    const question = await pendingOf(ruled);
    for (const code of ['ask_rule', 'credential_shown']) expect(question.asks).toContain(code);
    await answer(ruled, 'approve');
    expect((await held).text).toContain(KEY);
  });

  it('that nobody vouched for is quarantined as ever, and nobody is asked', async () => {
    const { talk, client } = await begin('nothing');
    bed.sandbox.files.set(`${talk.conversationId}/strange.txt`, Buffer.from(KEY));
    expect((await client.call('read_file', { path: 'strange.txt' })).text).toContain('ref:1');
    expect(await rowsOf(talk)).toEqual([]);
  });
});

describe('what a program prints that the agent may read', () => {
  it('stays behind a reference where it holds a credential, until the person who saw it lets it through [credentials.output]', async () => {
    const { talk, client } = await begin('nothing');
    bed.sandbox.run = () => ({ stdout: `key ${KEY}\n` });
    try {
      const ran = client.call('execute_script', { language: 'python', code: 'show()' });
      await answer(talk, 'approve', { trustOutput: true });
      const { text } = await ran;
      expect(text).toContain('Kept from you because it holds an OpenAI key (line 1 of what it shows)');
      expect(text).not.toContain(KEY);
      const read = client.call('read_output', { ref: 'ref:1' });
      await answer(talk, 'approve');
      expect((await read).text).toContain(KEY);
    } finally {
      bed.sandbox.run = () => ({ stdout: '42\n' });
    }
  });
});

describe('a call whose own words hold a credential', () => {
  it.each<[string, string, object, string]>([
    ['a file', 'write_file', { path: 'a.txt', contents: `a\nb ${KEY}\n` }, 'an OpenAI key (contents, line 2)'],
    ['an edit', 'edit_file', { path: FILE, old_text: 'nothing', new_text: KEY }, 'an OpenAI key (new_text)'],
    ['a command', 'run', { command: `printf ${OTHER}` }, 'a token of this platform (command)'],
    ['a redirect', 'run', { command: `cat a.txt > ${OTHER}.txt` }, 'a token of this platform (command)'],
    ['a script', 'execute_script', { language: 'python', code: `k = '${KEY}'` }, 'an OpenAI key (code)'],
    [
      'a variable of a script',
      'execute_script',
      { language: 'python', code: 'x', env: { A: `https://ann:${'tr0ub4dor-3'}@host.internal/` } },
      'a password in a URL (env)',
    ],
    ['an address', 'fetch_url', { url: `https://example.com/?key=${KEY}` }, 'an OpenAI key (url)'],
  ])(
    'as %s is refused before anybody is asked, and the record holds none of it [credentials.written]',
    async (_, tool, input, what) => {
      const { talk, client } = await begin('nothing');
      const { text, isError } = await client.call(tool, { ...input, why: 'because' });
      expect(isError).toBe(true);
      expect(text).toContain(`The call holds ${what}.`);
      const everything = text + (await written(talk));
      for (const secret of [KEY, OTHER, 'tr0ub4dor']) expect(everything).not.toContain(secret);
      expect(await rowsOf(talk)).toEqual([]);
      expect((await bed.trail(talk)).at(-1)).toMatchObject({
        data: { effect: 'deny', step: 'deny_rules', reasons: [{ code: 'credential_declared' }] },
      });
    },
  );

  it.each<[string, string, object]>([
    ['does not fit the tool', 'write_file', { path: 'a.txt', contents: `b ${KEY}\n`, mode: 7 }],
    ['is a read that does not fit', 'read_file', { path: 'a.txt', note: { token: OTHER } }],
  ])('and that %s is recorded without it, too [credentials.written]', async (_, tool, input) => {
    const { talk, client } = await begin('nothing');
    const { isError, text } = await client.call(tool, { ...input, why: 'because' });
    expect(isError).toBe(true);
    const everything = text + (await written(talk));
    expect(everything).toContain('arguments_invalid');
    for (const secret of [KEY, OTHER]) expect(everything).not.toContain(secret);
  });

  it('that stands in the passage an edit replaces may be moved', async () => {
    const { talk, client } = await begin(`OPENAI=${KEY}\n`);
    const held = client.call('edit_file', { path: FILE, old_text: `OPENAI=${KEY}`, new_text: `OPENAI_KEY=${KEY}` });
    await answer(talk, 'approve');
    expect((await held).isError).toBe(false);
  });

  it('or something that only looks like one is asked about, whatever allows the call', async () => {
    const talk = await bed.begin('coworker', { user: { permissions: { allow: ['Edit'] } } });
    const client = await openClient(bed, talk);
    const held = client.call('write_file', {
      path: 'a.yaml',
      contents: `db_password: "${['q7Vb2Kx9', 'Lm4Tn8Rw3'].join('')}"`,
    });
    expect((await pendingOf(talk)).asks).toContain('credential_given');
    await answer(talk, 'approve');
    expect((await held).isError).toBe(false);
  });
});

describe('the end of a conversation', () => {
  it('takes its findings with it', async () => {
    const { talk, client } = await begin(`OPENAI=${KEY}\n`);
    const held = client.call('read_file', { path: FILE });
    await answer(talk, 'approve');
    await held;
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    orchestrator.close();
    expect(await bed.database.credentialFinding.count({ where: { conversationId: talk.conversationId } })).toBe(0);
  });
});
