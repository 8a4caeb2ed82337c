/** Every tool with every kind of argument it does not take, made from the manifests: a new tool is here on the day it is added. */
import { describe, expect, it } from '@jest/globals';
import { useBroker } from '../broker.fixture.ts';
import { FIRST_PARTY_TOOLS, firstPartyCatalogue } from '../manifests/catalogue.ts';
import type { ToolDefinition } from '../manifests/tool-definition.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';
import { refusal } from '../tool-calls/tool-call.ts';
import { createValidateArguments } from './argument-validator.mcp.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Bad {
  readonly what: string;
  readonly given: Record<string, unknown>;
  readonly names: string;
}

const wrongTypes: Readonly<Record<string, unknown>> = {
  string: 7,
  integer: 'seven',
  boolean: 'yes',
  array: 'x',
  object: [],
};

const badOf = ({ inputSchema, example = {} }: ToolDefinition): readonly Bad[] => {
  const base = example as Record<string, unknown>;
  const cases: Bad[] = [
    { what: 'an extra argument', given: { ...base, unheard_of: 1 }, names: 'unheard_of' },
    { what: 'a name of odd letters', given: { ...base, 'p\u0430th\u202e': 'x' }, names: '<U+0430>' },
    {
      what: '__proto__',
      given: JSON.parse(`${JSON.stringify(base).slice(0, -1)},"__proto__":{"a":1}}`) as never,
      names: '__proto__',
    },
  ];
  const add = (what: string, name: string, value: unknown) =>
    cases.push({ what: `${name}: ${what}`, given: { ...base, [name]: value }, names: name });
  for (const name of inputSchema.required ?? []) {
    const { [name]: _, ...rest } = base;
    cases.push({ what: `${name}: missing`, given: rest, names: name });
    cases.push({ what: `${name}: in capitals`, given: { ...rest, [name.toUpperCase()]: base[name] }, names: name });
  }
  for (const [name, schema] of Object.entries(inputSchema.properties)) {
    const kinds = (schema['anyOf'] as Schema[] | undefined) ?? [schema];
    add('null', name, null);
    if (kinds.length === 1) add('a wrong type', name, wrongTypes[String(schema['type'])]);
    add('an object in an object', name, { a: { a: {} } });
    if (kinds.some((kind) => kind['type'] === 'string')) {
      const [text = {}] = kinds.filter((kind) => kind['type'] === 'string');
      if (Number(text['minLength'] ?? 0) > 0 || text['pattern'] !== undefined || text['enum'] !== undefined)
        add('empty', name, '');
      if (text['maxLength'] !== undefined) add('over-long', name, 'x'.repeat(Number(text['maxLength']) + 1));
      if (text['enum'] !== undefined) add('in capitals', name, String((text['enum'] as string[])[0]).toUpperCase());
      if (text['pattern'] !== undefined) add('with a null character', name, 'a\u0000b');
    }
    if (schema['type'] === 'integer') {
      add('below', name, Number(schema['minimum']) - 1);
      add('above', name, Number(schema['maximum']) + 1);
      add('a fraction', name, Number(schema['minimum']) + 0.5);
    }
    if (schema['type'] === 'array') {
      add(
        'too many',
        name,
        Array.from({ length: Number(schema['maxItems']) + 1 }, (_, at) => `ref:${at + 1}`),
      );
      add('a list of null', name, [null]);
    }
  }
  return cases;
};

const validate = createValidateArguments(firstPartyCatalogue());

describe.each(FIRST_PARTY_TOOLS.map((tool) => [tool.manifest.name, tool as ToolDefinition] as const))(
  '%s',
  (name, tool) => {
    it.each(badOf(tool).map((bad) => [bad.what, bad] as const))(
      'with %s says which argument and what is accepted',
      async (_, { given, names }) => {
        const problems = await validate(name, given);
        expect(problems).not.toEqual([]);
        const text = problems.join(' ');
        expect(text).toContain(names);
        expect(text).toMatch(/has to be |Accepted: /);
        const told = refusal(`Refused: the arguments do not fit ${name}. ${text} Correct them and call again.`);
        expect(told.text.length).toBeLessThan(500);
        expect(told.text).not.toContain('…');
        expect(text).not.toContain('undefined');
      },
    );

    it('takes its example, and one of what excludes each other', async () => {
      expect(await validate(name, tool.example)).toEqual([]);
      for (const group of tool.exactlyOne ?? []) {
        const without = Object.fromEntries(
          Object.entries(tool.example ?? {}).filter(([given]) => !group.includes(given)),
        );
        expect((await validate(name, without)).join(' ')).toContain(`exactly one of ${group.join(' and ')}`);
      }
    });
  },
);

describe('a call with arguments that do not fit', () => {
  const bed = useBroker();

  it('is answered with a result of every tool, never with an error of the protocol, and has no effect [tools.bad-input]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    for (const { manifest } of FIRST_PARTY_TOOLS) {
      const answer = await client.call(manifest.name, { unheard_of: 1 });
      expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/unheard_of|is missing/) });
      expect(answer.text.length).toBeLessThan(500);
    }
    expect(bed.models.asked).toEqual([]);
    expect(bed.sandbox.writes).toEqual([]);
    expect(await bed.database.approval.count({ where: { conversationId: talk.conversationId } })).toBe(0);
  }, 60_000);
});
