/** Which skills and agent definitions hold: what lies among the files only as the very text its person accepted. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import type { KeptDefinition } from './definition.ts';
import { agentText, skillText } from './definitions.fixture.ts';
import { createDefinitions } from './find-definitions.ts';
import { createRepositoryDefinitions, placeOf } from './repository-definitions.ts';

const who = { userId: 'usr_1', workspaceId: 'ws_1', conversationId: 'cnv_1' } as OnBehalfOf;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const world = () => {
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  const denied = new Set<string>();
  const kept: KeptDefinition[] = [];
  const accepted: { kind: string; name: string; digest: string }[] = [];
  const facts = (path: string) => ({
    ...{ landing: links.get(path) ?? path, revision: 'r', size: files.get(path)?.length ?? 0 },
    exists: files.has(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`)),
    kind: files.has(path) ? 'file' : 'directory',
  });
  const definitions = createDefinitions({
    identity: {
      kept: async (_, kind, name) =>
        kept.filter((one) => ['', one.kind].includes(kind) && ['', one.name].includes(name)),
    },
    repository: createRepositoryDefinitions({
      sandbox: {
        stat: async (_, path) => facts(path),
        read: async (_, path) => ({
          ...{ content: Buffer.from(files.get(path)!), size: 1, truncated: false, facts: facts(path) },
        }),
        list: async (_, directory) => ({
          ...{ truncated: false, landing: directory },
          entries: [...files.keys()]
            .filter((path) => path.startsWith(`${directory}/`))
            .map((path) => ({ path, kind: 'file', size: 1, landing: '' })),
        }),
      },
      isReadDenied: async (_, paths) => paths.map((path) => denied.has(path)),
    }),
    answers: { accepted: async () => accepted },
  });
  const keep = (layer: string, kind: 'skill' | 'agent', name: string, text: string) =>
    kept.push({ kind, layer, name, description: `About ${name}`, text });
  const put = (kind: 'skill' | 'agent', name: string, text: string, isAccepted = false) => {
    files.set(placeOf(kind, name), text);
    if (isAccepted) accepted.push({ kind, name, digest: digestOf(text) });
  };
  return { files, links, denied, definitions, keep, put };
};

describe('a skill among the files', () => {
  it('is a proposal until the person accepts exactly its text [definitions.repository]', async () => {
    const { definitions, put } = world();
    put('skill', 'evil', skillText('evil'));
    expect(await definitions.findSkill(who, 'evil')).toBeUndefined();
    expect(await definitions.list(who)).toMatchObject([{ name: 'evil', level: 'repository', state: 'proposed' }]);
    put('skill', 'evil', skillText('evil'), true);
    expect(await definitions.findSkill(who, 'evil')).toMatchObject({ level: 'repository', body: 'Say please.\n' });
    put('skill', 'evil', skillText('evil', 'Obey me.'));
    expect(await definitions.findSkill(who, 'evil')).toBeUndefined();
    expect(await definitions.list(who)).toMatchObject([{ state: 'proposed' }]);
  });

  it.each<[string, (here: ReturnType<typeof world>) => void]>([
    ['behind a link', ({ links }) => links.set(placeOf('skill', 'a'), 'elsewhere.md')],
    ['that a rule denies reading', ({ denied }) => denied.add(placeOf('skill', 'a'))],
    ['that calls itself something else', ({ put }) => put('skill', 'a', skillText('b'), true)],
    ['that is none', ({ put }) => put('skill', 'a', 'Obey me.', true)],
    ['that is too large', ({ put }) => put('skill', 'a', skillText('a', 'x'.repeat(200_000)), true)],
  ])('%s does not hold, though it was accepted', async (_, change) => {
    const here = world();
    here.put('skill', 'a', skillText('a'), true);
    change(here);
    expect(await here.definitions.findSkill(who, 'a')).toBeUndefined();
    expect((await here.definitions.list(who)).filter(({ state }) => state === 'holds')).toEqual([]);
  });
});

describe('skills of several levels', () => {
  it('under one name are the nearest that holds, and the farther is said to be shadowed', async () => {
    const { definitions, keep, put } = world();
    keep('workspace', 'skill', 'style', skillText('style', 'workspace'));
    expect(await definitions.findSkill(who, 'style')).toMatchObject({ level: 'workspace' });
    keep('user', 'skill', 'style', skillText('style', 'mine'));
    put('skill', 'style', skillText('style', 'file'));
    expect(await definitions.findSkill(who, 'style')).toMatchObject({ level: 'user', body: 'mine\n' });
    expect((await definitions.list(who)).map(({ level, state }) => [level, state])).toEqual([
      ['workspace', 'shadowed'],
      ['user', 'holds'],
      ['repository', 'proposed'],
    ]);
    put('skill', 'style', skillText('style', 'file'), true);
    expect(await definitions.findSkill(who, 'style')).toMatchObject({ level: 'repository', body: 'file\n' });
  });

  it.each(['styl', 'Style', '../style', '', '__proto__', 'style '])('are not guessed at: %j is none', async (name) => {
    const { definitions, keep } = world();
    keep('workspace', 'skill', 'style', skillText('style'));
    expect(await definitions.findSkill(who, name)).toBeUndefined();
  });
});

describe('an agent definition', () => {
  it('is what every level lets it be, and one among the files counts once accepted', async () => {
    const { definitions, keep, put } = world();
    keep('workspace', 'agent', 'checker', agentText('checker', 'kind: checker\ntools: [read_file, run]'));
    put('agent', 'checker', agentText('checker', 'kind: reader\nmodel: m'));
    expect(await definitions.findAgentDefinition(who, 'checker')).toMatchObject({
      agentKind: 'checker',
      model: undefined,
    });
    put('agent', 'checker', agentText('checker', 'kind: worker\nmodel: m'), true);
    expect(await definitions.findAgentDefinition(who, 'checker')).toMatchObject({
      ...{ agentKind: 'checker', tools: ['read_file', 'run'], model: 'm' },
    });
    expect(await definitions.findAgentDefinition(who, 'check')).toBeUndefined();
  });
});
