import fc from 'fast-check';
import { amountWithin, applyLimit, findLimit, type Limit, LIMITS } from '../index.ts';

const rows = Object.entries<Limit>(LIMITS);

describe('the table of limits', () => {
  it.each(rows)('%s is a number somebody can be told about', (_id, limit) => {
    expect(Number.isSafeInteger(limit.value) && limit.value > 0).toBe(true);
    expect(limit.min ?? 1).toBeLessThanOrEqual(limit.value);
    expect(limit.default ?? limit.value).toBeLessThanOrEqual(limit.value);
    if (limit.past === 'other') expect(limit.pastText).toMatch(/\.$/);
  });

  it('has one row for one thing', () => {
    const names = rows.map(([, { area, name }]) => `${area}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(findLimit({ area: 'read_file', name: 'lines per page' })).toBe(LIMITS['read-lines']);
    expect(findLimit({ id: 'toString', area: '', name: '' })).toBeUndefined();
  });

  it('accepts inside its bounds and never past them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.double(), ([, limit], given) => {
        const verdict = applyLimit(limit, given);
        const inside = limit.atLeast ? given >= limit.value : given <= limit.value && given >= (limit.min ?? -Infinity);
        expect(verdict.outcome === 'accept').toBe(inside && Number.isFinite(given));
        if (!('effective' in verdict)) return;
        expect(applyLimit(limit, verdict.effective)).toEqual({ outcome: 'accept', effective: verdict.effective });
      }),
    );
  });

  it('takes no amount that is no number', () => {
    expect([NaN, Infinity, -Infinity].map((given) => applyLimit(LIMITS['run-deadline'], given).outcome)).toEqual(
      Array(3).fill('refuse'),
    );
  });

  it('says what holds: the default, the amount, the bound, or nothing', () => {
    expect([undefined, 1, 601].map((given) => amountWithin(LIMITS['run-deadline'], given))).toEqual([300, 1, 600]);
    expect([600, 601, 0].map((given) => amountWithin(LIMITS['job-wait'], given))).toEqual([600, undefined, undefined]);
  });
});
