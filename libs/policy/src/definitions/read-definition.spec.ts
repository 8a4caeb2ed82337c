import { describe, expect, it } from '@jest/globals';
import { meetAgents } from './meet-agents.ts';
import { type AgentDefinition, readDefinition } from './read-definition.ts';

const skill = (front: string, body = 'Say please.') => readDefinition('skill', `---\n${front}\n---\n${body}`);
const agent = (front: string) => readDefinition('agent', `---\nname: a\ndescription: d\n${front}\n---\nDo it.`);
const agentOf = (front: string): AgentDefinition => {
  const read = agent(front);
  if (!read.ok || read.definition.kind !== 'agent') throw new Error('not read');
  return read.definition;
};

describe('a skill', () => {
  it('has a name, a description on one line and a text', () => {
    expect(skill('name: commit-style\ndescription: >\n  How commits\n  are worded\nlicense: x')).toEqual({
      ok: true,
      definition: { kind: 'skill', name: 'commit-style', description: 'How commits are worded', body: 'Say please.' },
      ignored: ['license'],
    });
  });

  it.each([
    ['no front matter', readDefinition('skill', 'hello'), /must begin with front matter/],
    ['no end of it', readDefinition('skill', '---\nname: a\ndescription: d\n'), /must begin with front matter/],
    ['no YAML', skill('name: [a\ndescription: d'), /no YAML/],
    ['a key twice', skill('name: a\nname: b\ndescription: d'), /key twice/],
    ['an anchor that grows', skill('name: a\ndescription: &a [x]\nmore: [*a, *a]'), /no YAML|anchor/],
    ['a list', skill('- a'), /without "name:"/],
    ['a path for a name', skill('name: ../a\ndescription: d'), /needs a "name:"/],
    ['capitals', skill('name: Commit\ndescription: d'), /needs a "name:"/],
    ['a name that is a list', skill('name: [a]\ndescription: d'), /no text/],
    ['no description', skill('name: a'), /needs a "description:"/],
    ['a description without end', skill(`name: a\ndescription: ${'x'.repeat(401)}`), /1 to 400/],
    ['hidden characters', skill('name: a\ndescription: "safe\u202e"'), /cannot be seen/],
    ['no text', skill('name: a\ndescription: d', ' \n'), /says nothing/],
    ['too large', skill('name: a\ndescription: d', 'x'.repeat(33_000)), /longer than/],
  ])('with %s is refused with what is wrong', (_, read, why) => {
    expect(read).toMatchObject({ ok: false, why: expect.stringMatching(why) as unknown });
  });
});

describe('an agent definition', () => {
  it('says what kind it is and what narrows it', () => {
    expect(agentOf('kind: checker\ntools: [read_file, run]\nrounds: 12\nmodel: m\nskills: a, b')).toMatchObject({
      ...{ agentKind: 'checker', tools: ['read_file', 'run'], rounds: 12, model: 'm', skills: ['a', 'b'] },
    });
    expect(agentOf('kind: reader')).toMatchObject({ tools: undefined, rounds: undefined, model: undefined });
    expect(agentOf('kind: reader\ntools: []').tools).toEqual([]);
  });

  it.each([
    ['kind: boss', /one of reader, checker, worker/],
    ['tools: read_file', /one of reader/],
    ['kind: worker\ntools: {a: b}', /no list of names/],
    ['kind: worker\ntools: [[a]]', /no list of names/],
    ['kind: worker\nrounds: 1e9', /no number/],
    ['kind: worker\nrounds: 201', /no number/],
  ])('%j is refused', (front, why) => {
    expect(agent(front)).toMatchObject({ ok: false, why: expect.stringMatching(why) as unknown });
  });

  it('of a nearer level only takes away [definitions.meet]', () => {
    const far = agentOf('kind: reader\ntools: [read_file, search]\nrounds: 5');
    const near = agentOf('kind: worker\ntools: [read_file, write_file]\nrounds: 50\nmodel: near');
    expect(meetAgents([far, near])).toMatchObject({
      ...{ agentKind: 'reader', tools: ['read_file'], rounds: 5, model: 'near' },
    });
    expect(meetAgents([near, agentOf('kind: worker')])).toMatchObject({
      tools: ['read_file', 'write_file'],
      rounds: 50,
    });
    expect(meetAgents([])).toBeUndefined();
  });
});
