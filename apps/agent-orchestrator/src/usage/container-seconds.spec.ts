/** Container seconds by UTC day, and the small rules of conversations, pages, pools and tokens. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { titleOf } from '../conversations/conversation.ts';
import { cutPage, readPage } from '../conversations/page-cursor.ts';
import { tokenLasts } from '../pods/live-pod.ts';
import { refillPause } from '../pods/warm-pool.ts';
import { secondsByDay } from './container-seconds.ts';

const at = (text: string): Date => new Date(`2026-11-${text}Z`);
const life = (userId: string, from: string, to: string) => ({ userId, from: at(from), to: at(to) });

describe('container seconds', () => {
  it('are split at midnight UTC and summed by person', () => {
    const lives = [
      life('bob', '01T23:59:00', '03T00:00:30'),
      life('alice', '02T10:00:00', '02T10:00:10'),
      life('bob', '02T11:00:00', '02T11:00:05'),
    ];
    expect(secondsByDay(lives, at('01T00:00:00'), at('30T00:00:00'))).toEqual([
      { day: '2026-11-01', userId: 'bob', containerSeconds: 60 },
      { day: '2026-11-02', userId: 'alice', containerSeconds: 10 },
      { day: '2026-11-02', userId: 'bob', containerSeconds: 86_405 },
      { day: '2026-11-03', userId: 'bob', containerSeconds: 30 },
    ]);
  });

  it('count nothing outside the asked time, and lose nothing inside it', () => {
    const moment = fc
      .integer({ min: 0, max: 20 * 86_400 })
      .map((seconds) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000));
    fc.assert(
      fc.property(moment, moment, moment, moment, (a, b, from, to) => {
        const total = secondsByDay([{ userId: 'u', from: a, to: b }], from, to).reduce(
          (sum, { containerSeconds }) => sum + containerSeconds,
          0,
        );
        const overlap = Math.min(b.getTime(), to.getTime()) - Math.max(a.getTime(), from.getTime());
        expect(total).toBeCloseTo(Math.max(0, overlap) / 1000);
      }),
    );
  });
});

describe('small rules', () => {
  it('make a title of the first line, whole characters only', () => {
    expect(titleOf('  run  this\nprint(1)')).toBe('run this');
    const title = titleOf('🙂'.repeat(200));
    expect([...title]).toHaveLength(80);
    expect(title.isWellFormed()).toBe(true);
  });

  it('never read a page of nothing as everything, and a cursor of another list as the first page', () => {
    expect(readPage(undefined, 20, /^\d+$/)).toEqual({ limit: 20, after: undefined });
    expect(readPage({ limit: 100_000, cursor: '' }, 20, /^\d+$/).limit).toBe(100);
    expect(() => readPage({ limit: -1, cursor: '' }, 20, /^\d+$/)).toThrow('negative');
    expect(() => readPage({ limit: 1, cursor: 'eA' }, 20, /^\d+$/)).toThrow('cursor');
    const { rows, nextCursor } = cutPage([3, 2, 1], 2, String);
    expect(rows).toEqual([3, 2]);
    expect(readPage({ limit: 2, cursor: nextCursor }, 20, /^\d+$/).after).toBe('2');
    expect(cutPage([3, 2], 2, String).nextCursor).toBe('');
  });

  it('slow a failing pool down to half a minute', () => {
    expect([0, 1, 3, 20].map(refillPause)).toEqual([250, 500, 2_000, 30_000]);
  });

  it('replace a token that would not outlive a turn, and do not churn ones that are short from the start', () => {
    const pod = (hours: number) => ({ startedAt: new Date(0), tokenExpiresAt: new Date(hours * 3_600_000) });
    expect(tokenLasts(pod(12), 1_800_000, 11 * 3_600_000)).toBe(true);
    expect(tokenLasts(pod(12), 1_800_000, 11.6 * 3_600_000)).toBe(false);
    expect(tokenLasts(pod(0.25), 1_800_000, 0)).toBe(true);
    expect(tokenLasts(pod(0.25), 1_800_000, 0.2 * 3_600_000)).toBe(false);
  });
});
