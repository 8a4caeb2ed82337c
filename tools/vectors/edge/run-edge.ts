/** Replays cases on the platform that runs here, as its seeded people. Guarantees that configuration and settings are put back as they were, also when a case fails. */
import {
  httpUrl,
  mintToken,
  personSubject,
  revokeToken,
  type MintedToken,
  type RunningStack,
  withOrchestrator,
} from '../../cli/operator.ts';
import type { Suite } from '../suite.ts';
import { createPlatformSeat } from './platform-seat.ts';
import { type EdgeReport, replayEdge } from './replay-edge.ts';

/** One seat each; the first of a workspace who may configure it does. */
const PEOPLE = ['alice', 'bob', 'carol'];
const ADMINS = ['alice', 'carol'];
/** Admins whose workspace no other of these people is in. */
const ALONE = ['carol'];
const TTL_SECONDS = 900;
/** Asked about first, so that an allow rule has something to answer and shows in the decision. */
const ASKED = ['read_file', 'list_files', 'write_file', 'execute_script'];

const OPEN = { denied_tools: [], allowed_tools: [], enabled: true, code_exec_enabled: true };

interface Kept {
  readonly url: string;
  readonly token: string;
  readonly text: string;
}

export async function runEdge(
  stack: RunningStack,
  production: boolean,
  folder: string,
  suites: readonly Suite[],
  only?: ReadonlySet<string>,
): Promise<EdgeReport> {
  const minted: { name: string; token: MintedToken }[] = [];
  const kept: Kept[] = [];
  const seats: ReturnType<typeof createPlatformSeat>[] = [];
  try {
    for (const name of PEOPLE) {
      const token = await mintToken(stack, production, name, {
        ttlSeconds: TTL_SECONDS,
        label: './bravo vectors --edge',
      });
      minted.push({ name, token });
      const api = `${httpUrl(stack, 'gateway')}/api/v1/${token.workspace}`;
      if (ADMINS.includes(name)) {
        const config = JSON.parse(await keep(kept, `${api}/bravo/config`, token.token)) as {
          require_approval: string[];
        };
        const met = { require_approval: [...new Set([...config.require_approval, ...ASKED])], ...OPEN };
        await put(`${api}/bravo/config`, token.token, JSON.stringify({ ...config, ...met }));
        await keep(kept, `${api}/bravo/settings/workspace`, token.token);
        await put(`${api}/bravo/settings/workspace`, token.token, '{}');
      }
      await keep(kept, `${api}/bravo/settings/user`, token.token);
      await put(`${api}/bravo/settings/user`, token.token, '{}');
      const subject = await personSubject(stack, token);
      seats.push(
        createPlatformSeat({
          api,
          token: token.token,
          ownsWorkspace: ALONE.includes(name),
          attach: async (conversationId) => {
            const attached = await withOrchestrator(stack, (orchestrator) =>
              orchestrator.attachAgent({ conversationId }, { subject }),
            );
            return { mcpUrl: `${httpUrl(stack, 'tool-broker')}/mcp/`, token: attached.token };
          },
        }),
      );
    }
    return await replayEdge(folder, suites, seats, only);
  } finally {
    for (const seat of seats) await seat.end();
    const broken: unknown[] = [];
    for (const { url, token, text } of kept.reverse())
      await put(url, token, text).catch((error: unknown) => broken.push(error));
    for (const { token } of minted) await revokeToken(stack, token.tokenId).catch(() => undefined);
    for (const error of broken) process.stderr.write(`not put back as it was: ${(error as Error).message}\n`);
  }
}

const keep = async (kept: Kept[], url: string, token: string): Promise<string> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  kept.push({ url, token, text });
  return text;
};

const put = async (url: string, token: string, text: string): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: text });
  if (!response.ok) throw new Error(`${url} could not be written (${response.status}): ${await response.text()}`);
};
