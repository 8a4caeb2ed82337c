import { describe, expect, it } from '@jest/globals';
import { buildCatalogue, FIRST_PARTY_TOOLS, firstPartyCatalogue } from './catalogue.ts';
import { checkExecutors, EXECUTORS } from '../tools/executors.ts';
import { readFileTool } from './read-file.ts';

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
