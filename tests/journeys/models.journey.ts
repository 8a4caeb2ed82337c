/** Models as a person meets them: chosen, answering, calling a tool, failing with a sentence, replaced by another that says so, stopped, counted and bounded. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LLMock } from '@copilotkit/aimock';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { requireRunning, withIdentity } from '@bravo/tools/cli/operator';
import { keepShot, launchBrowser, openPage } from './support/browser-page.ts';
import { eventually } from './support/eventually.ts';
import { type EndlessModel, startEndlessModel, startMockModel, usage } from './support/model-peers.ts';
import { usePlatform } from './support/platform.ts';
import type { RestClient } from './support/rest-client.ts';

const KEY = `kanarie-${randomBytes(18).toString('hex')}`;
const SEALED = `kanarie-${randomBytes(18).toString('hex')}`;
let first: LLMock;
let second: LLMock;
let endless: EndlessModel;
const env: Record<string, string> = {
  BRAVO_MODEL_PROVIDER: 'openai-compatible',
  BRAVO_MODEL_NAME: 'first',
  BRAVO_MODEL_API_KEY: KEY,
  BRAVO_MODEL_FALLBACK: 'second/z-ai/big',
  BRAVO_MODEL_PRICES: '{"openai-compatible/first":{"input":1,"output":10}}',
};
beforeAll(async () => {
  [first, second, endless] = await Promise.all([startMockModel(), startMockModel(), startEndlessModel()]);
  env['BRAVO_MODEL_BASE_URL'] = `${first.url}/v1`;
  first
    .on({ userMessage: 'list files', hasToolResult: true }, { content: 'There is nothing yet.', usage })
    .onMessage('list files', { toolCalls: [{ name: 'platform__list_files', arguments: '{}' }], usage })
    .onMessage('be wrong', {
      status: 401,
      error: { message: `Incorrect API key provided: ${KEY}`, type: 'invalid_request_error', code: 'invalid_api_key' },
    })
    .onMessage('be expired', {
      status: 403,
      error: { message: `The security token ${KEY} included in the request is expired`, type: 'x' },
    })
    .onMessage('be toolless', {
      status: 400,
      error: { message: 'This model does not support tools', type: 'invalid_request_error' },
    })
    .onMessage('be elsewhere', {
      status: 400,
      error: { message: 'The model is not available in the region eu-nowhere-1', type: 'invalid_request_error' },
    })
    .onMessage('be down', { status: 503, error: { message: 'overloaded', type: 'server_error' } })
    .onMessage(/./, { content: 'The first model speaks.', usage });
  second
    .onMessage('be lost', { status: 401, error: { message: `no ${SEALED}`, type: 'x' } })
    .onMessage(/./, { content: 'The second model speaks.', usage });
});
const stage = usePlatform(env);
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), endless?.close()]);
});

/** What only the operator may write: providers at private addresses. */
const configure = async (): Promise<void> => {
  const provider = {
    second: {
      name: 'Second Service',
      env: ['SECOND_KEY'],
      options: { baseURL: `${second.url}/v1` },
      models: { 'z-ai/big': { name: 'Big', limit: { context: 200_000, output: 8_192 } } },
    },
    endless: { name: 'Endless Service', options: { baseURL: endless.baseUrl }, models: { endless: {} } },
    gone: { options: { baseURL: 'http://127.0.0.1:9/v1' } },
    nowhere: {},
  };
  await withIdentity(requireRunning({ BRAVO_HOME: stage.platform.home }), async (identity) => {
    await identity.putSettings({
      workspaceId: '',
      layer: 'platform',
      userId: '',
      documentJson: JSON.stringify({ provider }),
      ifMatch: 0,
    });
  });
  const put = await stage.alice.call('PUT', '/bravo/secrets/SECOND_KEY', { value: SEALED });
  expect(put.status).toBe(204);
};

const converse = async (client: RestClient, conversation: string, words: string) => {
  const log = await client.say(conversation, words);
  const end = await log.terminal();
  return { text: log.text(), end, log };
};
const modelOf = (client: RestClient, conversation: string) => client.get(`/bravo/conversations/${conversation}/model`);

describe('models', () => {
  beforeAll(configure, 60_000);

  it('are listed by service, searched, and one that is gone takes nothing from the others', async () => {
    const list = (await stage.alice.get('/bravo/models')) as {
      models: { id: string; label: string; service_label: string; context_tokens: number | null }[];
      automatic: string;
      services: { id: string; problem: string }[];
      notes: string[];
    };
    expect(list.models.map(({ id }) => id)).toEqual(['openai-compatible/first', 'second/z-ai/big', 'endless/endless']);
    expect(list.models[1]).toMatchObject({ label: 'Big', service_label: 'Second Service', context_tokens: 200_000 });
    expect(list.automatic).toBe('openai-compatible/first');
    expect(list.services.find(({ id }) => id === 'gone')?.problem).toMatch(
      /cannot be reached\. Check provider\.gone\.options\.baseURL of the platform settings/,
    );
    expect(list.notes).toEqual([expect.stringMatching(/^provider\.nowhere: .*no options\.baseURL/)]);
    expect(
      ((await stage.alice.get('/bravo/models?search=second+BIG')) as typeof list).models.map(({ id }) => id),
    ).toEqual(['second/z-ai/big']);
  });

  it('answer, call a tool through the broker and are chosen for one conversation [model.choice]', async () => {
    const { alice, bob } = stage;
    const conversation = await alice.createConversation();
    const tool = await converse(alice, conversation, 'list files');
    expect(tool.end.event).toBe('message_end');
    expect(tool.text).toContain('There is nothing yet.');
    expect(tool.log.count('tool_call_end')).toBe(1);

    const chosen = await alice.call('PUT', `/bravo/conversations/${conversation}/model`, {
      model: 'second/z-ai/big',
      effort: 'high',
    });
    expect(chosen.body).toMatchObject({
      effective: { model: 'second/z-ai/big', label: 'Big', decided_by: 'conversation', effort: 'high' },
    });
    expect((await converse(alice, conversation, 'and now?')).text).toContain('The second model speaks.');
    const sent = second.getLastRequest();
    expect(sent?.headers['authorization']).not.toContain(KEY);
    expect(sent?.body).toMatchObject({ model: 'z-ai/big', reasoning_effort: 'high' });
    // Another conversation and another person keep theirs; nobody chooses in a conversation of somebody else.
    expect(await modelOf(alice, await alice.createConversation())).toMatchObject({
      effective: { decided_by: 'automatic' },
    });
    expect(
      (await bob.call('PUT', `/bravo/conversations/${conversation}/model`, { model: 'second/z-ai/big' })).status,
    ).toBe(404);
    expect(
      (await alice.call('PUT', `/bravo/conversations/${conversation}/model`, { model: 'second/unheard' })).status,
    ).toBe(404);
    expect((await bob.call('PUT', '/bravo/model', { scope: 'workspace', model: 'second/z-ai/big' })).status).toBe(403);
    const event = await eventually('the choice on the trail', async () =>
      (await alice.trail(conversation)).find(({ type }) => type === 'agent.model.chosen'),
    );
    expect(event).toMatchObject({
      actor: expect.stringMatching(/^user:/),
      data: { scope: 'conversation', model: 'second/z-ai/big', effort: 'high' },
    });
  });

  it('that nobody offers any more are reset to automatic and not obeyed', async () => {
    const { alice } = stage;
    expect((await alice.call('PUT', '/bravo/model', { model: 'endless/endless' })).body).toMatchObject({
      person: { model: 'endless/endless' },
    });
    await withIdentity(requireRunning({ BRAVO_HOME: stage.platform.home }), async (identity) => {
      await identity.putSettings({ workspaceId: '', layer: 'platform', userId: '', documentJson: '{}', ifMatch: 0 });
    });
    const conversation = await alice.createConversation();
    await eventually('the reset', async () => (await modelOf(alice, conversation)).person.model === 'automatic');
    expect((await converse(alice, conversation, 'hello')).text).toContain('The first model speaks.');
    await alice.send('PUT', '/bravo/model', { model: '' });
    await configure();
    await eventually(
      'the providers',
      async () => ((await alice.get('/bravo/models')) as { models: unknown[] }).models.length === 3,
    );
  });

  it('that are down are replaced by the second one, which says so [model.switch-said]', async () => {
    const { alice } = stage;
    const { text, end } = await converse(alice, await alice.createConversation(), 'be down');
    expect(end.event).toBe('message_end');
    expect(text).toBe(
      "[first did not answer (The model's server cannot answer now (status 503)). Big answers instead.]\n\nThe second model speaks.",
    );
  });

  it('whose key is wrong say so with the setting, and no key is anywhere [model.no-key]', async () => {
    const { alice, platform } = stage;
    const wrong = await converse(alice, await alice.createConversation(), 'be wrong');
    expect(wrong.end).toMatchObject({
      event: 'error',
      data: { code: 'model_failed', detail: expect.stringMatching(/refused our key.*Check BRAVO_MODEL_API_KEY/s) },
    });
    const conversation = await alice.createConversation();
    await alice.send('PUT', `/bravo/conversations/${conversation}/model`, { model: 'second/z-ai/big' });
    const lost = await converse(alice, conversation, 'be lost');
    expect(lost.end.data['detail']).toMatch(
      /Check the sealed secret SECOND_KEY \(provider\.second\.env of the platform settings\)/,
    );
    const told = JSON.stringify([wrong.log.events, lost.log.events]);
    const logs = readdirSync(path.join(platform.home, 'logs')).map((name) =>
      readFileSync(path.join(platform.home, 'logs', name), 'utf8'),
    );
    expect(logs.join('')).toContain('a model call failed');
    for (const key of [KEY, SEALED]) expect([told, ...logs].some((text) => text.includes(key))).toBe(false);
  });

  it('that cannot be used say in the stream and in the log which setting to change, without a key [model.no-key]', async () => {
    const { alice, platform } = stage;
    const log = (): string => readFileSync(path.join(platform.home, 'logs', 'model-gateway.log'), 'utf8');
    const cases: [string, RegExp][] = [
      [
        'be expired',
        /^The model's server refused our key.*Check BRAVO_MODEL_API_KEY: it may be wrong, expired or for another region/,
      ],
      ['be toolless', /^The model cannot call tools, so it can do nothing here/],
      ['be elsewhere', /^The model's server does not offer this model in its region or to us/],
    ];
    for (const [words, sentence] of cases) {
      const { end } = await converse(alice, await alice.createConversation(), words);
      expect(end).toMatchObject({
        event: 'error',
        data: { code: 'model_failed', detail: expect.stringMatching(sentence) },
      });
      expect(log()).toContain(JSON.stringify(end.data['detail']).slice(1).slice(0, 50));
    }
    // A window smaller than what is told before the conversation, and a limit in money over a model without a price.
    for (const [limits, sentence] of [
      [
        { contextTokens: 50 },
        /^What @bravo is told before the conversation .* takes 50 tokens of a prompt \(window 50, limits\.contextTokens of the settings\)/,
      ],
      [
        { personMonthlyCents: 500 },
        /limits\.personMonthlyCents counts money and the price table has no row for second\/z-ai\/big\. Add one to BRAVO_MODEL_PRICES/,
      ],
    ] as const) {
      await alice.send('PUT', '/bravo/settings/user', { limits });
      const conversation = await alice.createConversation();
      await alice.send('PUT', `/bravo/conversations/${conversation}/model`, { model: 'second/z-ai/big' });
      await eventually('the setting', async () => {
        const { end } = await converse(alice, conversation, 'hello');
        return sentence.test(String(end.data['detail']));
      });
      await alice.send('PUT', '/bravo/settings/user', {});
    }
    expect(log()).toContain('a request does not fit the window of its model');
    expect(log()).not.toContain(KEY);
  });

  it('have their keys nowhere in a pod: not in its environment, and in none of its files [model.no-key]', async () => {
    const { alice, platform } = stage;
    await converse(alice, await alice.createConversation(), 'hello');
    const pods = await platform.podPids();
    const found: string[] = [];
    let files = 0;
    for (const pid of pods) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const root = path.join('/proc', String(pid), 'root');
      const home = path.join(root, /(?:^|\0)HOME=([^\0]+)/.exec(environment)?.[1] ?? '/tmp');
      const texts = [environment];
      for (const place of [home, path.join(root, 'tmp'), path.join(root, 'etc'), path.join(root, 'run')])
        for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) texts.push(readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
      files += texts.length - 1;
      found.push(...[KEY, SEALED].filter((key) => texts.some((text) => text.includes(key))));
    }
    expect(pods.length).toBeGreaterThan(0);
    process.stderr.write(
      `searched ${pods.length} pods and ${files} files of theirs for two keys: ${found.length} found\n`,
    );
    expect(found).toEqual([]);
  });

  it('are stopped at the provider within a second of being cancelled [model.cancel]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    await alice.send('PUT', `/bravo/conversations/${conversation}/model`, { model: 'endless/endless' });
    const hungUp = endless.nextHangUp();
    const log = await alice.say(conversation, 'talk');
    await log.until('content_delta');
    const cancelled = performance.now();
    await alice.send('POST', `/bravo/conversations/${conversation}/cancel`, {});
    expect((await hungUp) - cancelled).toBeLessThan(1_000);
    expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_cancelled' } });
  });

  it('are shown on the command line, where an operator adds credits once per reference', async () => {
    const bravo = (...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        [
          '--conditions=source',
          path.resolve(import.meta.dirname, '../../tools/cli/main.ts'),
          'models',
          '--as',
          'alice',
          ...args,
        ],
        {
          env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: stage.platform.home },
        },
      );
    expect((await bravo('--grant', '500', '--reference', 'order-1')).stdout).toMatch(
      /^\* openai-compatible\/first.*\nSecond Service\n {2}second\/z-ai\/big {2}Big\n[^]*purchased 500\.$/m,
    );
    await expect(bravo('--grant', '500', '--reference', 'order-1')).rejects.toThrow(/nothing was added/);
    await expect(bravo('--choose', 'unheard')).rejects.toThrow(/There is no model/);
  });

  it('are counted and bounded: a limit that is reached is a sentence in the stream with its reset [quota.reset-told]', async () => {
    const { bob } = stage;
    const conversation = await bob.createConversation();
    expect((await converse(bob, conversation, 'hello')).end.event).toBe('message_end');
    const month = (await bob.get('/bravo/usage')) as {
      total: Record<string, number>;
      by_model: Record<string, unknown>[];
      by_conversation: Record<string, unknown>[];
      credits: Record<string, number>;
      limits: unknown[];
    };
    expect(month.total).toMatchObject({
      input_tokens: 1_000,
      output_tokens: 200,
      requests: 1,
      failed: 0,
      credits: 1_200,
      cost_usd: 0.003,
    });
    expect(month.by_model).toMatchObject([{ model: 'openai-compatible/first', credits: 1_200 }]);
    expect(month.by_conversation).toMatchObject([{ conversation_id: conversation }]);
    expect(month.credits).toMatchObject({ plan: 'team', plan_granted: 8_000_000 });
    await bob.send('PUT', '/bravo/settings/user', { limits: { personDailyTokens: 1_250 } });
    await eventually(
      'the limit',
      async () => ((await bob.get('/bravo/usage')) as { limits: unknown[] }).limits.length === 1,
    );
    const { end } = await converse(bob, conversation, 'once more');
    expect(end.event).toBe('error');
    expect(end.data['detail']).toMatch(
      /Your limit for a day \(limits\.personDailyTokens\) has no room for this call: 1,200 of 1,250 tokens are used\. It begins anew at \d{4}-\d\d-\d\d 00:00 UTC\./,
    );
    await bob.send('PUT', '/bravo/settings/user', {});
  });

  it('are found by words and chosen in the page, and what was used and is left stands where nothing is open [model.choice]', async () => {
    const browser = await launchBrowser();
    try {
      await stage.alice.send('PUT', '/bravo/settings/user', { limits: { personDailyTokens: 20_000 } });
      const { page, complaints } = await openPage(browser, stage.platform.gatewayUrl, 'alice');
      await page.getByTestId('usage').waitFor({ timeout: 30_000 });
      await page.getByText('Your tokens today').waitFor({ timeout: 30_000 });
      expect(await page.getByTestId('usage').innerText()).toMatch(/Credits \(team\)[^]*openai-compatible\/first/);
      await keepShot(page, '10-usage');
      await page.getByTestId('new-conversation').click();
      await page.getByTestId('model-open').click({ timeout: 30_000 });
      await page.getByTestId('model-second/z-ai/big').waitFor({ timeout: 30_000 });
      await keepShot(page, '11-models');
      await page.getByTestId('model-search').fill('second BIG');
      expect(await page.locator('[data-testid^="model-endless"]').count()).toBe(0);
      await page.getByTestId('model-second/z-ai/big').click();
      await page
        .getByTestId('model-effective')
        .filter({ hasText: 'Big answers, chosen for this conversation.' })
        .waitFor({ timeout: 30_000 });
      await page.getByTestId('model-effort').selectOption('high');
      await eventually(
        'the level to be kept',
        async () => (await page.getByTestId('model-effort').inputValue()) === 'high',
      );
      await keepShot(page, '12-model-chosen');
      expect(complaints).toEqual([]);
      const conversation = /cnv_\w+/.exec(page.url())?.[0] ?? '';
      expect(await modelOf(stage.alice, conversation)).toMatchObject({
        effective: { model: 'second/z-ai/big', effort: 'high' },
      });
    } finally {
      await browser.close();
      await stage.alice.send('PUT', '/bravo/settings/user', {});
    }
  }, 240_000);
});
