/** Calls the gateway's API as a person's program would; for specs only. */
import type { GatewayUnderTest } from './gateway.fixture.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each spec asserts the fields it uses
  readonly body: any;
}

/** `who` is a seeded person's name, a token, or empty for no credential. A body that is text is sent as it is. */
export const createCallApi =
  (test: GatewayUnderTest) =>
  async (
    who: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const token = test.tokens[who] ?? who;
    const response = await fetch(`${test.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  };

export type CallApi = ReturnType<typeof createCallApi>;

/** @returns the id of a new conversation of that person. */
export const beginConversation = async (call: CallApi, who = 'alice', workspace = 'acme'): Promise<string> =>
  (await call(who, 'POST', `/${workspace}/bravo/conversations`, {})).body.id as string;

export const conversationPath = (cid: string, rest = '', workspace = 'acme'): string =>
  `/${workspace}/bravo/conversations/${cid}${rest}`;
