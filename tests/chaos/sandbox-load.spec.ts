import { describe, expect, it } from '@jest/globals';
import { moreThanWaits, readLoad } from './sandbox-load.ts';

const METRICS = `# HELP bravo_sandbox_waiting Interpreters and furnished places that wait for a program.
bravo_executions_now{state="running"} 2
bravo_executions_now{state="waiting"} 7
bravo_sandbox_waiting{what="python"} 1
bravo_sandbox_waiting{what="cell"} 2
bravo_sandbox_waiting_bytes{what="cell"} 90000
`;
const group = (controller: string, id: string) => `cgroup /sys/fs/cgroup/${controller}/bravo-sandbox-x/${id}`;

describe('what executions left', () => {
  it('is told from what waits by the runner’s own count', () => {
    expect(readLoad(METRICS)).toEqual({ running: 2, places: 3, interpreters: 1 });
    expect(readLoad('')).toEqual({ running: 0, places: 0, interpreters: 0 });
  });

  it('is nothing where as many lie there as wait', () => {
    const traces = ['a', 'b', 'c'].flatMap((id) => [`bundle ${id}`, group('memory', id), group('pids', id)]);
    expect(moreThanWaits(traces, [1], { places: 3, interpreters: 1 })).toEqual([]);
  });

  it.each<[string, string[], number[], string[]]>([
    ['a bundle too many', ['bundle a', 'bundle b', group('memory', 'a')], [], ['bundle a', 'bundle b']],
    [
      'a leaf too many of one controller',
      ['bundle a', group('memory', 'a'), group('memory', 'b'), group('pids', 'a')],
      [],
      [group('memory', 'a'), group('memory', 'b')],
    ],
    ['a runtime too many', ['bundle a'], [7, 8], ['runtime 7', 'runtime 8']],
  ])('is %s', (_what, traces, runtimes, found) => {
    expect(moreThanWaits(traces, runtimes, { places: 1, interpreters: 1 })).toEqual(found);
  });
});
