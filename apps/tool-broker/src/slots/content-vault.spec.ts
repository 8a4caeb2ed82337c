import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createContentVault } from './content-vault.ts';

describe('the vault of quarantined content [quarantine.at-rest]', () => {
  const vault = createContentVault(randomBytes(32));
  const place = { conversationId: 'cnv_1', name: 'slot:1' };
  const key = vault.newKey('cnv_1');
  const content = Buffer.from('the bytes of a stranger');

  it('gives back what it sealed, and holds none of it in the open', () => {
    const sealed = vault.seal(key, place, content);
    expect(Buffer.from(sealed).includes('stranger')).toBe(false);
    expect(vault.open(key, place, sealed)).toEqual(content);
    expect(vault.seal(key, place, content)).not.toEqual(sealed);
  });

  it.each([
    ['another slot', { conversationId: 'cnv_1', name: 'slot:2' }],
    ['another conversation', { conversationId: 'cnv_2', name: 'slot:1' }],
  ])('opens nothing in %s', (_, elsewhere) => {
    expect(() => vault.open(key, elsewhere, vault.seal(key, place, content))).toThrow(/cannot be opened/);
  });

  it('opens nothing that was changed, and nothing with the key of another conversation or another broker', () => {
    const sealed = vault.seal(key, place, content);
    const changed = Uint8Array.from(sealed);
    changed[20] = changed[20]! ^ 1;
    expect(() => vault.open(key, place, changed)).toThrow(/cannot be opened/);
    expect(() => vault.open(vault.newKey('cnv_1'), place, sealed)).toThrow(/cannot be opened/);
    expect(() => createContentVault(randomBytes(32)).open(key, place, sealed)).toThrow(/cannot be opened/);
    expect(() => vault.open(key, place, new Uint8Array())).toThrow(/cannot be opened/);
  });

  it('takes no key of another length', () => {
    expect(() => createContentVault(randomBytes(16))).toThrow(/must have 32 bytes/);
  });
});
