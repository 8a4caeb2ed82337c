/** One conversation from its beginning to its end through the gateway, as a person has it; what `helm test` runs. */

export interface ConverseFacts {
  /** Base URL of the gateway. */
  readonly url: string;
  /** Origin a browser would send. */
  readonly origin: string;
  readonly workspace: string;
  /** API token; '' signs in as the demo person alice. */
  readonly token: string;
}

interface Told {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string;
}

const ask = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  body?: object,
): Promise<Told> => {
  const answer = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await answer.text();
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  if (answer.status >= 400)
    throw new Error(`${method} ${new URL(url).pathname} answered ${answer.status}: ${text.slice(0, 400)}`);
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), cookie };
};

/** Headers that speak as the person. */
export const signIn = async (
  { url, origin, token }: ConverseFacts,
  name = 'alice',
): Promise<Record<string, string>> => {
  if (token !== '') return { authorization: `Bearer ${token}` };
  const { body, cookie } = await ask(`${url}/api/v1/sign-in`, { origin }, 'POST', { name });
  return { origin, cookie, 'x-csrf-token': String(body['csrf_token'] ?? '') };
};

/** @returns what the agent answered. Throws with what did not go. */
export const converse = async (facts: ConverseFacts, say: (sentence: string) => void): Promise<string> => {
  const person = await signIn(facts);
  const base = `${facts.url}/api/v1/${facts.workspace}/bravo/conversations`;
  const { body: begun } = await ask(base, person, 'POST', { title: 'helm test' });
  const id = String(begun['id']);
  say(`began ${id}`);
  const { body: answered } = await ask(`${base}/${id}/messages`, person, 'POST', { content: 'Hello, are you there?' });
  const text = String((answered['assistant_message'] as { content?: unknown } | undefined)?.content ?? '');
  if (text === '') throw new Error(`the turn ended without an answer: ${JSON.stringify(answered).slice(0, 400)}`);
  say(`answered: ${text.slice(0, 200)}`);
  await ask(`${base}/${id}`, person, 'DELETE');
  say('ended');
  return text;
};
