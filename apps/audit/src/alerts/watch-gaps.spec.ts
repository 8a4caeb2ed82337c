import { waitUntil } from '@bravo/testing';
import { useTrail } from '../trail/trail.fixture.ts';
import { startWatchGaps } from './watch-gaps.ts';

const { open, recordMany } = useTrail();

describe("holes in a producer's numbers", () => {
  it('that stay are alerts, once; an event that is only late is none', async () => {
    const { entries, alerts } = open();
    await recordMany({ seq: 1 }, { seq: 3 }, { seq: 6, workspace: 'ws_b' });
    const told: string[] = [];
    let looks = 0;
    const watch = startWatchGaps({
      allGaps: async () => {
        const gaps = await entries.allGaps();
        // It comes after it was missed once.
        if ((looks += 1) === 1) await recordMany({ seq: 2, workspace: 'ws_b' });
        return gaps;
      },
      alerts,
      onAlert: (sentence) => told.push(sentence),
      onFailure: (error) => told.push(String(error)),
      lookMs: 30,
    });
    await waitUntil('four looks', () => looks >= 4);
    watch.stop();
    expect(told).toEqual(['Events 4 to 5 of broker never came.']);
    expect(await alerts.list('ws_a', 10)).toMatchObject([{ kind: 'gap', subject: 'broker 4-5', workspaceId: '' }]);
  });
});
