/** `models`: what a person may choose from, what answers, and what is left of limits and credits; an operator adds credits with it. */
import { parseArgs } from 'node:util';
import { CommandError, type Command } from '../command.ts';
import { httpUrl, type MintedToken, mintToken, requireRunning, revokeToken, type RunningStack, withModels } from '../operator.ts';
import { printJson, printLine } from '../output.ts';

interface ModelList {
  readonly models: readonly { readonly id: string; readonly label: string; readonly service_label: string }[];
  readonly automatic: string;
  readonly services: readonly { readonly label: string; readonly problem: string }[];
  readonly notes: readonly string[];
}
interface Choice {
  readonly effective: { readonly model: string; readonly decided_by: string; readonly effort: string };
}
interface Usage {
  readonly total: { readonly input_tokens: number; readonly output_tokens: number; readonly requests: number; readonly cost_usd: number };
  readonly credits: Readonly<Record<string, number | string | boolean>>;
  readonly limits: readonly { readonly name: string; readonly limit: number; readonly used: number }[];
}

export const command: Command = {
  summary: 'Show the models a person may choose, which answers, and what is left of limits and credits; or add credits.',
  usage: 'models --as NAME [--search WORDS] [--choose MODEL] [--grant CREDITS --reference WORDS] [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        as: { type: 'string' },
        search: { type: 'string', default: '' },
        choose: { type: 'string' },
        grant: { type: 'string' },
        reference: { type: 'string', default: '' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { as, workspace, search, choose, grant, reference } = values;
    if (!as) throw new CommandError('Say whose models: ./bravo models --as alice', 2);
    const stack = requireRunning(environment);
    const lasting = { workspace, ttlSeconds: 60, label: './bravo models' };
    const minted = await mintToken(stack, environment['BRAVO_ENV'] === 'production', as, lasting);
    try {
      if (grant !== undefined) await grantCredits(stack, minted, grant, reference);
      const call = <T>(path: string, body?: object): Promise<T> => callGateway<T>(stack, minted, path, body);
      if (choose !== undefined) await call('/model', { model: choose });
      const [list, choice, usage] = await Promise.all([
        call<ModelList>(`/models?search=${encodeURIComponent(search)}`),
        call<Choice>('/model'),
        call<Usage>('/usage'),
      ]);
      if (values.json) printJson({ ...list, ...choice, usage });
      else print(list, choice, usage);
      return 0;
    } finally {
      await revokeToken(stack, minted.tokenId).catch(() => {});
    }
  },
};

const grantCredits = async (stack: RunningStack, { workspaceId }: MintedToken, text: string, reference: string): Promise<void> => {
  const credits = Number(text);
  if (!Number.isSafeInteger(credits) || credits < 1 || reference === '')
    throw new CommandError('Say how many and for what: --grant 200000 --reference order-17. A reference is granted once.', 2);
  const { granted } = await withModels(stack, (models) => models.grantCredits({ workspaceId, credits, reference }));
  if (!granted) throw new CommandError(`Credits were granted for ${JSON.stringify(reference)} before; nothing was added.`);
};

const callGateway = async <T>(stack: RunningStack, { workspace, token }: MintedToken, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${httpUrl(stack, 'gateway')}/api/v1/${workspace}/bravo${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T & { detail?: string };
  if (!response.ok) throw new CommandError(answer.detail ?? `HTTP ${response.status}`);
  return answer;
};

const print = (list: ModelList, { effective }: Choice, { total, credits, limits }: Usage): void => {
  let heading = '';
  for (const { id, label, service_label: service } of list.models) {
    if (service !== heading) printLine(service);
    heading = service;
    printLine(`${id === effective.model ? '* ' : '  '}${id}${label === id ? '' : `  ${label}`}`);
  }
  for (const { label, problem } of list.services) if (problem !== '') printLine(`${label}: ${problem}`);
  for (const note of list.notes) printLine(note);
  printLine(`${effective.model} answers (${effective.decided_by}); automatic leads to ${list.automatic}.`);
  const tokens = (total.input_tokens + total.output_tokens).toLocaleString('en');
  printLine(`This month: ${total.requests} answers, ${tokens} tokens${total.cost_usd > 0 ? `, $${total.cost_usd.toFixed(2)}` : ''}.`);
  const left = (bucket: string): string => (Number(credits[`${bucket}_granted`]) - Number(credits[`${bucket}_used`])).toLocaleString('en');
  printLine(
    credits['unlimited'] === true
      ? `Credits: plan ${String(credits['plan'])}, without a limit.`
      : `Credits left: plan ${String(credits['plan'])} ${left('plan')}, trial ${left('trial')}, purchased ${left('purchased')}.`,
  );
  for (const { name, limit, used } of limits) printLine(`Limit ${name}: ${used.toLocaleString('en')} of ${limit.toLocaleString('en')}.`);
};
