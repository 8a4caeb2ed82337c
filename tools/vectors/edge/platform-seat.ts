/** A seat on a running platform: one person over REST, and agents' seats over MCP. Guarantees that nothing but the public surface is used; it must never read a store. */
import { readInForce } from './settings-in-force.ts';
import { type Called, type Explained, NotMet, Refused, type Seat, type SettingsAnswer, type Talk } from './edge.ts';

export interface SeatAccess {
  /** `…/api/v1/<workspace>` */
  readonly api: string;
  readonly token: string;
  readonly ownsWorkspace: boolean;
  /** Puts an agent of ours into the conversation. */
  attach(conversation: string): Promise<{ readonly mcpUrl: string; readonly token: string }>;
}

/** Longer than anything remembered about settings may be. */
const STALE_MS = 5_000;
const LOOK_MS = 25;
const QUESTION_MS = 20_000;

interface Answer {
  readonly status: number;
  // Routes answer in many shapes; each caller reads the fields it knows.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export const createPlatformSeat = (access: SeatAccess): Seat & { end(): Promise<void> } => {
  const begun: string[] = [];
  let sharedTalk: Promise<Talk> | undefined;
  /** The policy version of what is in force, known while `standing` is 'in force' and of what came before while it is 'written'. */
  let version = '';
  let standing: 'in force' | 'written' | 'unknown' = 'unknown';
  let written: { readonly text: string; readonly answer: SettingsAnswer } | undefined;
  let landmarks = 0;
  const rest = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${access.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${access.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  const good = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const { status, body: answer } = await rest(method, path, body);
    const told = `${method} ${path} answered ${status}: ${JSON.stringify(answer)}`;
    if (status === 400 || status === 422) throw new Refused(told, String(answer.detail ?? ''));
    if (status > 400) throw new Error(told);
    return answer;
  };
  const explainIn = (conversation: string | undefined, tool: string, input: object) =>
    good('POST', '/bravo/explain', { tool, input, ...(conversation === undefined ? {} : { conversation }) }) as Promise<
      Explained & { policy_version: string }
    >;

  const write = async (text: string): Promise<SettingsAnswer> => {
    written = undefined;
    const { status, body } = await rest('PUT', '/bravo/settings/user', text);
    if (status >= 500) throw new Error(`the settings could not be written: ${JSON.stringify(body)}`);
    return status >= 400 ? { stored: false, warnings: [] } : { stored: true, warnings: body.warnings };
  };
  const lookUntil = async (isThere: (seen: Explained) => boolean, path: string): Promise<string> => {
    for (const deadline = Date.now() + STALE_MS; Date.now() < deadline; await pause(LOOK_MS)) {
      const seen = await explainIn(undefined, 'read_file', { path });
      if (isThere(seen) && seen.policy_version !== version) return seen.policy_version;
    }
    throw new Error(`settings that were written are not in force after ${STALE_MS} ms`);
  };
  /** What begins now begins with what was written last: every write has a policy version of its own, which says when everybody has heard of it. */
  const settle = async (): Promise<void> => {
    if (standing === 'in force') return;
    if (standing === 'written') version = await lookUntil(() => true, 'any.txt');
    else {
      // Which of several writes a version belongs to is not told, so one is made that shows in a decision.
      const path = `landmark-${(landmarks += 1)}.txt`;
      await write(JSON.stringify({ permissions: { deny: [`Read(${path})`] } }));
      version = await lookUntil(({ step }) => step === 'deny_rules', path);
    }
    standing = 'in force';
  };
  const putSettings = async (text: string): Promise<SettingsAnswer> => {
    if (written?.text === text) return written.answer;
    await settle();
    const answer = await write(text);
    // What was refused leaves in force what was.
    if (!answer.stored) return answer;
    written = { text, answer };
    standing = 'written';
    return answer;
  };
  const begin = async ({ unattended = false } = {}): Promise<Talk> => {
    await settle();
    const { id } = await good('POST', '/bravo/conversations', { title: 'Policy cases', unattended });
    begun.push(id as string);
    return talkIn(id as string);
  };
  const talkIn = (conversation: string): Talk => {
    let agent: ReturnType<SeatAccess['attach']> | undefined;
    const callsOf = async () =>
      (await good('GET', `/bravo/conversations/${conversation}/tool-calls`)).tool_calls as (Called & {
        id: string;
        approval: { status: string } | null;
      })[];
    /** Answers the one question there is; true once it was. */
    const answer = async (how: string): Promise<boolean> => {
      const question = (await callsOf()).find(({ approval }) => approval?.status === 'pending');
      if (question === undefined) return false;
      const body = how === 'approve and show' ? { trust_output: true } : {};
      await good('POST', `/bravo/conversations/${conversation}/tool-calls/${question.id}/approve`, body);
      return true;
    };
    return {
      explain: (tool, input) => explainIn(conversation, tool, input),
      call: async (tool, input, how = 'approve') => {
        agent ??= access.attach(conversation);
        let isOver = false;
        const called = callTool(await agent, tool, input).finally(() => {
          isOver = true;
        });
        called.catch(() => undefined);
        for (const deadline = Date.now() + QUESTION_MS; !isOver && Date.now() < deadline;) {
          if (await answer(how)) break;
          await pause(LOOK_MS);
        }
        const result = await called;
        if (/sandbox_unavailable/.test(result.text)) throw new NotMet('no program can be run on this machine');
        const label = (await callsOf()).at(-1)?.label ?? { integrity: '', confidentiality: '' };
        return { ...result, label };
      },
    };
  };
  return {
    ownsWorkspace: access.ownsWorkspace,
    inForce: (documents) => {
      standing = 'unknown';
      written = undefined;
      return readInForce(
        {
          call: rest,
          ownsWorkspace: access.ownsWorkspace,
          beginConversation: async () => {
            const { id } = await good('POST', '/bravo/conversations', { title: 'Policy cases' });
            begun.push(id as string);
            return id as string;
          },
        },
        documents,
      );
    },
    putSettings,
    tellSettings: (text) => {
      standing = 'unknown';
      return write(text);
    },
    explain: async (tool, input) => {
      await settle();
      return explainIn(undefined, tool, input);
    },
    begin,
    shared: () => {
      sharedTalk ??= (async () => {
        // Words of the agent are let through unasked, so that a case has few questions; what is asked anyway is what it is about.
        await putSettings('{}');
        const talk = await begin();
        const program = { language: 'python', code: 'print("words of a program")' };
        const { text } = await talk.call('execute_script', program, 'approve');
        if (!/\bref:1\b/.test(text)) throw new Error(`The program that makes ref:1 gave none: ${text}`);
        return talk;
      })();
      return sharedTalk;
    },
    end: async () => {
      for (const conversation of begun)
        await rest('DELETE', `/bravo/conversations/${conversation}`).catch(() => undefined);
    },
  };
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface RpcAnswer {
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message?: string };
}

const callTool = async (
  { mcpUrl, token }: { mcpUrl: string; token: string },
  name: string,
  given: object,
): Promise<{ text: string; isError: boolean }> => {
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  const body = await response.text();
  const answer = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as RpcAnswer;
  if (answer.result === undefined) throw new Error(answer.error?.message ?? `the broker answered ${response.status}`);
  return {
    text: (answer.result.content ?? []).map(({ text }) => text ?? '').join('\n'),
    isError: answer.result.isError === true,
  };
};
