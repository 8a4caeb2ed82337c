/** A person at the public API, as far as the benchmarks need one. */
import type { Platform } from '@bravo/testing';

export interface Person {
  beginConversation(): Promise<string>;
  endConversation(id: string): Promise<void>;
  /** The answer as an event stream; `path` is below the conversation. */
  stream(
    conversation: string,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Response>;
}

export const signIn = async (platform: Platform, name: string): Promise<Person> => {
  const { token, workspace } = await platform.token(name);
  const root = `${platform.gatewayUrl}/api/v1/${workspace}/bravo/conversations`;
  const ask = (method: string, path: string, body?: object, more: RequestInit = {}): Promise<Response> =>
    fetch(`${root}${path}`, {
      ...more,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...more.headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const insist = async (answer: Response): Promise<Response> => {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  return {
    beginConversation: async () => ((await (await insist(await ask('POST', '', {}))).json()) as { id: string }).id,
    endConversation: async (id) => void (await insist(await ask('DELETE', `/${id}`))),
    stream: async (conversation, method, path, body, signal) =>
      insist(
        await ask(method, `/${conversation}${path}`, body, {
          headers: { accept: 'text/event-stream' },
          ...(signal ? { signal } : {}),
        }),
      ),
  };
};

/** Reads on until the text holds what is looked for. @throws Error when the stream ends before. */
export const readUntil = async (response: Response, wanted: (text: string) => boolean): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (wanted(text)) return text;
  }
  throw new Error(`the stream ended before what was looked for: ${text.slice(-500)}`);
};
