/** What every store of objects must do. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from './object-store.port.ts';

export const describeObjectStore = (open: () => ObjectStore): void => {
  const prefix = () => `t${randomBytes(6).toString('hex')}`;

  describe('objects', () => {
    it('come back byte for byte, empty and large ones too', async () => {
      const at = prefix();
      for (const [name, content] of [
        ['empty', Buffer.alloc(0)],
        ['binary', Buffer.from([0, 255, 10, 13, 0])],
        ['large', randomBytes(9 * 1024 * 1024)],
      ] as const) {
        await open().put(`${at}/${name}`, content);
        expect((await open().get(`${at}/${name}`))?.equals(content)).toBe(true);
      }
    });

    it('are replaced as a whole, and absent ones are told apart from empty ones', async () => {
      const key = `${prefix()}/a`;
      expect(await open().get(key)).toBeUndefined();
      await open().put(key, Buffer.from('one, and longer'));
      await open().put(key, Buffer.from('two'));
      expect(String(await open().get(key))).toBe('two');
    });

    it('are listed by what their key begins with, and by nothing less than whole parts', async () => {
      const at = prefix();
      for (const name of ['a/1', 'a/2', 'ab/3', 'b']) await open().put(`${at}/${name}`, Buffer.from('x'));
      expect([...(await open().list(`${at}/a/`))].sort()).toEqual([`${at}/a/1`, `${at}/a/2`]);
      expect(await open().list(`${at}/none/`)).toEqual([]);
    });

    it('lists more than one page of them', async () => {
      const at = prefix();
      const names = Array.from({ length: 1_050 }, (_, index) => `${at}/n/${index}`);
      for (let from = 0; from < names.length; from += 50) {
        await Promise.all(names.slice(from, from + 50).map((name) => open().put(name, Buffer.from('x'))));
      }
      expect([...(await open().list(`${at}/n/`))].sort()).toEqual([...names].sort());
    });

    it('are removed, and again', async () => {
      const key = `${prefix()}/a`;
      await open().put(key, Buffer.from('x'));
      await open().remove(key);
      await open().remove(key);
      expect(await open().get(key)).toBeUndefined();
    });

    it.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.b', 'a\0', 'ä', 'a b'])('%j is no key', async (key) => {
      await expect(open().put(key, Buffer.from('x'))).rejects.toThrow('key');
      await expect(open().get(key)).rejects.toThrow('key');
      await expect(open().remove(key)).rejects.toThrow('key');
    });
  });
};
