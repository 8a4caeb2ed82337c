import { describe, expect, it } from '@jest/globals';
import { createCounter, createTimer, measure, renderMetrics } from './metrics.ts';

describe('metrics', () => {
  it('of one name are one, however often they are made', async () => {
    createCounter('test_turns_total', 'Turns.', ['status']).count({ status: 'completed' });
    createCounter('test_turns_total', 'Turns.', ['status']).count({ status: 'completed' });
    createTimer('test_seconds', 'Time.').observe(0.3);
    const text = await renderMetrics();
    expect(text).toContain('test_turns_total{status="completed"} 2');
    expect(text).toContain('test_seconds_bucket{le="0.5"} 1');
  });

  it('that are looked up show what is so now, and nothing when it cannot be had [telemetry.metrics]', async () => {
    let states: Record<string, number> | undefined = { warm: 2, claimed: 1 };
    let lag: number | undefined = 4;
    measure('test_pods', 'Pods.', ['state'], async () => {
      if (!states) throw new Error('no database');
      return Object.entries(states).map(([state, value]) => ({ value, labels: { state } }));
    });
    measure('test_lag', 'Lag.', [], async () => {
      if (lag === undefined) throw new Error('no database');
      return [{ value: lag }];
    });
    expect(await renderMetrics()).toContain('test_pods{state="warm"} 2\ntest_pods{state="claimed"} 1');
    states = { claimed: 1 };
    const later = await renderMetrics();
    expect(later).toContain('test_pods{state="claimed"} 1');
    expect(later).not.toContain('warm');
    expect(later).toContain('test_lag 4');
    states = lag = undefined;
    const away = await renderMetrics();
    expect(away).not.toMatch(/test_pods\{|test_lag \d/);
    expect(away).toContain('test_turns_total');
  });
});
