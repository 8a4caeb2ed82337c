/** What the sandbox-runner says of its own load, and what on the machine is more than that. */

export interface SandboxLoad {
  /** Programs that run. */
  readonly running: number;
  /** Furnished places that wait for a program, those with an interpreter in them included. */
  readonly places: number;
  /** Interpreters that wait for a program, each under a runtime of its own. */
  readonly interpreters: number;
}

const samples = (metrics: string, name: string): { labels: string; value: number }[] =>
  [...metrics.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))].map(([, labels = '', value]) => ({
    labels,
    value: Number(value),
  }));

const sum = (found: readonly { value: number }[]): number => found.reduce((total, { value }) => total + value, 0);

/** Of a runner that does not answer (`''`), nothing runs and nothing waits: whatever lies there then is too much. */
export const readLoad = (metrics: string): SandboxLoad => {
  const waiting = samples(metrics, 'bravo_sandbox_waiting');
  return {
    running: sum(samples(metrics, 'bravo_executions_now').filter(({ labels }) => labels.includes('state="running"'))),
    places: sum(waiting),
    interpreters: sum(waiting.filter(({ labels }) => !labels.includes('what="cell"'))),
  };
};

/**
 * @param traces Lines "bundle <id>" and "cgroup <directory>/<id>", one of the latter per controller.
 * @returns All of a kind where there are more of it than wait: which of them is the one too many cannot be told from outside.
 */
export const moreThanWaits = (
  traces: readonly string[],
  runtimes: readonly number[],
  { places, interpreters }: Pick<SandboxLoad, 'places' | 'interpreters'>,
): string[] => {
  const kinds = Map.groupBy(traces, (trace) =>
    trace.slice(0, trace.lastIndexOf(trace.startsWith('bundle ') ? ' ' : '/')),
  );
  return [
    ...[...kinds.values()].filter((kind) => kind.length > places).flat(),
    ...(runtimes.length > interpreters ? runtimes.map((pid) => `runtime ${pid}`) : []),
  ];
};
