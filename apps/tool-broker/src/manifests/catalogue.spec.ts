import { describe, expect, it } from '@jest/globals';
import { buildCatalogue, FIRST_PARTY_TOOLS, firstPartyCatalogue } from './catalogue.ts';
import { checkExecutors, EXECUTORS } from '../tools/executors.ts';
import { createValidateArguments } from '../mcp/argument-validator.mcp.ts';
import { readFileTool } from './read-file.ts';
import { describeTool } from './tool-definition.ts';

describe('the tool catalogue', () => {
  it('classifies every argument of every tool [policy.classified]', () => {
    for (const { manifest, inputSchema } of FIRST_PARTY_TOOLS) {
      expect(Object.keys(manifest.arguments).sort()).toEqual(Object.keys(inputSchema.properties).sort());
      expect(inputSchema.properties).not.toHaveProperty('approved');
      // `platform__` is what the pod puts before the name.
      expect(`platform__${manifest.name}`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }
    expect([...firstPartyCatalogue().keys()]).toEqual(FIRST_PARTY_TOOLS.map(({ manifest }) => manifest.name));
  });

  // A small model calls a tool by its name, one sentence and one example. A new tool is given an `example` beside its schema.
  it.each(FIRST_PARTY_TOOLS.map((tool) => [tool.manifest.name, tool] as const))(
    'tells a small model what %s does in one sentence, with a call that its own schema takes',
    async (name, tool) => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const [sentence = ''] = tool.manifest.description.split(/(?<=[.!])(?:\s|$)/, 1);
      expect(sentence).toMatch(/^[A-Z].{15,140}\.$/);
      expect(tool.manifest.description.length).toBeLessThan(1_000);
      expect(tool.example).toBeDefined();
      expect(await createValidateArguments(firstPartyCatalogue())(name, tool.example)).toEqual([]);
      expect(await createValidateArguments(firstPartyCatalogue())(name, { ...tool.example, unheard: 1 })).not.toEqual(
        [],
      );
      const told = describeTool(tool);
      expect(JSON.parse(told.slice(told.lastIndexOf('\nExample: ') + 10))).toEqual(tool.example);
      for (const argument of Object.values(tool.inputSchema.properties))
        expect(argument['description']).toEqual(expect.any(String));
    },
  );

  it('refuses an argument nobody classified', () => {
    const properties = { ...readFileTool.inputSchema.properties, follow: { type: 'boolean' } };
    const open = { ...readFileTool, inputSchema: { ...readFileTool.inputSchema, properties } };
    expect(() => buildCatalogue([open])).toThrow(/argument "follow" is not classified/);
  });

  it('refuses a tool that nothing can carry out, and an executor of no tool', () => {
    const { read_file: readFile, ...others } = EXECUTORS;
    expect(() => checkExecutors(firstPartyCatalogue(), others)).toThrow(/read_file has a manifest and no executor/);
    expect(() => checkExecutors(firstPartyCatalogue(), { ...EXECUTORS, copy_file: readFile! })).toThrow(
      /copy_file has an executor and no manifest/,
    );
    expect(checkExecutors(firstPartyCatalogue(), EXECUTORS)).toBe(EXECUTORS);
  });

  it('refuses a schema that lets unknown arguments through, and a name used twice', () => {
    const loose = {
      ...readFileTool,
      inputSchema: { ...readFileTool.inputSchema, additionalProperties: true as unknown as false },
    };
    expect(() => buildCatalogue([loose])).toThrow(/additionalProperties/);
    expect(() => buildCatalogue([readFileTool, readFileTool])).toThrow(/used twice/);
  });
});
