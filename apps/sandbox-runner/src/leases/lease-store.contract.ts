/** What every store of leases must do. */
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import type { LeaseKey, LeaseStore } from './lease-store.port.ts';

const LONG = 60_000;
let count = 0;
const newKey = (workspaceId = 'ws_acme'): LeaseKey => ({ workspaceId, conversationId: `cnv_lease${(count += 1)}` });

/** `open` gives the store as another process of that name sees it. */
export const describeLeaseStore = (open: (holder: string) => LeaseStore): void => {
  describe('a lease [workspace.one-writer]', () => {
    it('is had by one at a time, and its fence rises with every time it is taken', async () => {
      const key = newKey();
      const [a, b] = [open('a'), open('b')];
      expect(await a.head(key)).toBeUndefined();
      const first = await a.take(key, LONG, 'h0');
      expect(first).toEqual({ fence: 1, head: 'h0' });
      expect(await b.take(key, LONG, '')).toBeUndefined();
      await a.release(key, first as never);
      expect(await b.take(key, LONG, '')).toEqual({ fence: 2, head: 'h0' });
      expect(await a.take(key, LONG, '')).toBeUndefined();
    });

    it('is had by exactly one of many who ask at once', async () => {
      const key = newKey();
      const taken = await Promise.all(Array.from({ length: 12 }, (_, n) => open(`p${n}`).take(key, LONG, '')));
      expect(taken.filter((each) => each !== undefined)).toHaveLength(1);
    });

    it('is taken over once it is overdue, and then its old holder sets nothing and takes nothing from the new one', async () => {
      const key = newKey();
      const [a, b] = [open('a'), open('b')];
      const old = (await a.take(key, 50, '')) as never;
      let taken: Awaited<ReturnType<LeaseStore['take']>>;
      await waitUntil('the lease to be overdue', async () => (taken = await b.take(key, LONG, '')) !== undefined);
      expect(await a.commit(key, old, 'mine')).toBe(false);
      expect(await a.renew(key, old, LONG)).toBe(false);
      await a.release(key, old);
      expect(await a.take(key, LONG, '')).toBeUndefined();
      expect(await b.commit(key, taken as never, 'theirs')).toBe(true);
      expect(await a.head(key)).toBe('theirs');
    });

    it('stays whose it is while it is renewed, and while nobody else took it', async () => {
      const key = newKey();
      const [a, b] = [open('a'), open('b')];
      const lease = (await a.take(key, 400, '')) as never;
      expect(await a.renew(key, lease, LONG)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 450));
      expect(await b.take(key, LONG, '')).toBeUndefined();
      expect(await a.commit(key, lease, 'kept')).toBe(true);
    });

    it("of another workspace's conversation is not found", async () => {
      const key = newKey();
      await open('a').take(key, 1, '');
      const foreign = { ...key, workspaceId: 'ws_globex' };
      await expect(open('b').head(foreign)).rejects.toMatchObject({ code: 'not_found' });
      await expect(open('b').take(foreign, LONG, '')).rejects.toMatchObject({ code: 'not_found' });
    });
  });
};
