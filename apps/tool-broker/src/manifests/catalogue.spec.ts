import { describe, expect, it } from '@jest/globals';
import { buildCatalogue, FIRST_PARTY_TOOLS, firstPartyCatalogue } from './catalogue.ts';
import { readFileTool } from './read-file.ts';

describe('the tool catalogue', () => {
  it('classifies every argument of every tool [policy.classified]', () => {
    for (const { manifest, inputSchema } of FIRST_PARTY_TOOLS) {
      expect(Object.keys(manifest.arguments).sort()).toEqual(Object.keys(inputSchema.properties).sort());
      expect(inputSchema.properties).not.toHaveProperty('approved');
      // `platform__` is what the pod puts before the name.
      expect(`platform__${manifest.name}`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }
    expect([...firstPartyCatalogue().keys()]).toEqual(['read_file', 'list_files', 'write_file', 'execute_script']);
  });

  it('refuses an argument nobody classified', () => {
    const properties = { ...readFileTool.inputSchema.properties, follow: { type: 'boolean' } };
    const open = { ...readFileTool, inputSchema: { ...readFileTool.inputSchema, properties } };
    expect(() => buildCatalogue([open])).toThrow(/argument "follow" is not classified/);
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
