/** The public API as a person uses it, for one command: with a token of theirs that is gone when the command ends, however it ends. */
import { CommandError } from './command.ts';
import { httpUrl, mintToken, requireRunning, revokeToken } from './operator.ts';

/** `path` continues `/api/v1/<workspace>`. Resolves with the answer's JSON, `{}` where it has none. @throws CommandError with the problem's own words. */
export type CallApi = (method: string, path: string, body?: object) => Promise<unknown>;

export const asPerson = async <T>(
  environment: Parameters<typeof requireRunning>[0],
  {
    as,
    workspace,
    command,
    ttlSeconds = 60,
  }: { as: string; workspace: string | undefined; command: string; ttlSeconds?: number },
  use: (call: CallApi) => Promise<T>,
): Promise<T> => {
  const stack = requireRunning(environment);
  const label = `./bravo ${command}`;
  const minted = await mintToken(stack, environment['BRAVO_ENV'] === 'production', as, {
    workspace,
    ttlSeconds,
    label,
  });
  const call: CallApi = async (method, path, body) => {
    const response = await fetch(`${httpUrl(stack, 'gateway')}/api/v1/${minted.workspace}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${minted.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = JSON.parse((await response.text()) || '{}');
    if (!response.ok) throw new CommandError((answer as { detail?: string }).detail ?? `HTTP ${response.status}`);
    return answer;
  };
  try {
    return await use(call);
  } finally {
    await revokeToken(stack, minted.tokenId).catch(() => {});
  }
};
