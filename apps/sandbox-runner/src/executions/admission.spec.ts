import { describe, expect, it } from '@jest/globals';
import { Admission } from './admission.ts';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('admission', () => {
  it('lets another workspace in before the rest of a flood [sandbox.fair]', async () => {
    const admission = new Admission({ running: 2, waitingPerWorkspace: 50, waiting: 100 }, () => 0);
    const order: string[] = [];
    const leaves: (() => void)[] = [];
    const enter = (workspace: string) =>
      void admission.enter(workspace, never).then((leave) => {
        order.push(workspace);
        leaves.push(leave);
      });
    for (let n = 0; n < 40; n += 1) enter('ws_flood');
    for (let n = 0; n < 3; n += 1) enter('ws_calm');
    await soon();
    expect(order).toEqual(['ws_flood', 'ws_flood']);
    for (let n = 0; n < 6; n += 1) {
      leaves.shift()?.();
      await soon();
    }
    // The calm one waited for one program to end, and then had every second place.
    expect(order.slice(2)).toEqual(['ws_calm', 'ws_flood', 'ws_calm', 'ws_flood', 'ws_calm', 'ws_flood']);
    expect(admission.load).toEqual({ running: 2, waiting: 35 });
  });

  it('bounds who waits, per workspace and in all, and says when to come again [sandbox.fair]', async () => {
    let now = 0;
    const admission = new Admission({ running: 1, waitingPerWorkspace: 2, waiting: 3 }, () => now);
    const leave = await admission.enter('a', never);
    now = 8_000;
    const abort = new AbortController();
    const second = admission.enter('a', abort.signal);
    const third = admission.enter('a', never);
    await expect(admission.enter('a', never)).rejects.toMatchObject({
      code: 'resource_exhausted',
      meta: { retry_after_seconds: '2' },
      detail: expect.stringContaining('of this workspace'),
    });
    void admission.enter('b', never);
    await expect(admission.enter('c', never)).rejects.toMatchObject({
      code: 'resource_exhausted',
      meta: { retry_after_seconds: '3' },
    });
    abort.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    leave();
    leave();
    await soon();
    expect(admission.load).toEqual({ running: 1, waiting: 1 });
    void third;
  });

  it('lets nobody in who has gone already', async () => {
    const admission = new Admission({ running: 1, waitingPerWorkspace: 1, waiting: 1 }, () => 0);
    await expect(admission.enter('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(admission.load).toEqual({ running: 0, waiting: 0 });
  });
});
