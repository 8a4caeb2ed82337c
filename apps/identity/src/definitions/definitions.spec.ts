/** Skills and agent definitions through the real server and database: who writes them, who reads them, and what is no definition. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsOf, fails, through as throughGateway, useIdentity } from '../identity.fixture.ts';

const test = useIdentity();
const { as, people } = test;
const through = (name: string, permissions?: readonly string[]) => throughGateway(test, name, permissions);
const text = (name: string, body = 'Say please.', more = '') =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n${body}\n`;
const put = (by: string, name: string, change: object = {}, permissions?: readonly string[]) => {
  const { ws: workspaceId, id: userId } = people[by]!;
  const own = { workspaceId, userId, layer: 'user', kind: 'skill', name, text: text(name), ifMatch: 0 };
  return as.gateway.putDefinition({ ...own, ...change }, through(by, permissions));
};
const list = async (by: string, name = '', userId = people[by]!.id, kind = '') =>
  (await as.gateway.listDefinitions({ workspaceId: people[by]!.ws, userId, kind, name }, through(by))).definitions;

describe('skills and agent definitions', () => {
  beforeAll(async () => {
    await put('alice', 'house-style', { layer: 'workspace' });
    await put('bob', 'mine');
    await put('bob', 'checker', { kind: 'agent', text: text('checker', 'Look.', 'kind: reader\n') });
  });

  it("are written by those whose level it is: admins the workspace's, people their own [definitions.writers]", async () => {
    await fails(put('bob', 'other-style', { layer: 'workspace' }), 'permission_denied');
    await fails(put('alice', 'other-style', { layer: 'workspace' }, []), 'permission_denied');
    await fails(put('bob', 'a', { userId: people['alice']!.id }), 'not_found');
    await fails(put('bob', 'a', { workspaceId: people['carol']!.ws }), 'not_found');
  });

  it("hold for a person: the workspace's, then their own", async () => {
    const found = (await list('bob')).filter(({ name }) => name !== 'other-style');
    expect(found).toMatchObject([
      { kind: 'skill', layer: 'workspace', name: 'house-style', version: 1, description: 'About house-style' },
      { kind: 'agent', layer: 'user', name: 'checker' },
      { kind: 'skill', layer: 'user', name: 'mine' },
    ]);
  });

  it('are read by nobody but whom they hold for [definitions.readers]', async () => {
    expect((await list('alice')).map(({ name }) => name)).not.toContain('mine');
    expect(await list('carol')).toEqual([]);
    await fails(list('alice', '', people['bob']!.id), 'not_found');
    await fails(list('carol', '', people['alice']!.id), 'not_found');
    const { ws: workspaceId, id: userId } = people['bob']!;
    const { definitions } = await as.broker.listDefinitions({ workspaceId, userId, kind: 'skill', name: 'mine' });
    expect(definitions).toMatchObject([{ name: 'mine', text: text('mine') }]);
  });

  it('come with their text when one is named, and without it in a listing', async () => {
    expect((await list('bob')).every((definition) => definition.text === '')).toBe(true);
    const [mine] = await list('bob', 'mine');
    expect(mine).toMatchObject({ text: text('mine'), digest: createHash('sha256').update(text('mine')).digest('hex') });
  });

  it('are never written over an unseen change, and each change is on the trail', async () => {
    await put('bob', 'mine', { text: text('mine', 'Say thanks.'), ifMatch: 1 });
    await fails(put('bob', 'mine', { ifMatch: 1 }), 'version_conflict');
    const gone = { ...people['bob']!, layer: 'user', kind: 'skill', name: 'mine' };
    const remove = () =>
      as.gateway.deleteDefinition({ ...gone, workspaceId: gone.ws, userId: gone.id }, through('bob'));
    await remove();
    await fails(remove(), 'not_found');
    const told = (await eventsOf(test, 'agent.definition.changed')).map(({ data }) => data as { name: string });
    expect(told.filter(({ name }) => name === 'mine')).toMatchObject([
      { version: 1, layer: 'user', kind: 'skill' },
      { version: 2 },
      { version: 0, bytes: 0 },
    ]);
    expect(JSON.stringify(told)).not.toContain('Say ');
  });

  it.each([
    ['text', { text: 'hello' }],
    ['text', { text: text('other') }],
    ['text', { text: text('odd', '\0') }],
    ['text', { kind: 'agent' }],
    ['name', { name: '../odd' }],
    ['kind', { kind: 'hook' }],
    ['layer', { layer: 'platform' }],
  ])('are refused with the field %s (%#)', async (field, change) => {
    const fault = await fails(put('bob', 'odd', change), 'invalid_argument');
    expect(fault.meta['field']).toBe(field);
  });

  it('are no more than a model can be told of', async () => {
    for (let at = 0; at < 50; at += 1) await put('carol', `skill-${at}`);
    await fails(put('carol', 'one-more'), 'resource_exhausted');
    await put('carol', 'skill-7', { text: text('skill-7', 'changed') });
  });
});
