/** One running job: the last of what it printed, and who waits for something new of it. */
import { JOB_LIMITS, type JobReading, type JobRequest, type JobResult } from './job.ts';
import { OutputRing } from './output-ring.ts';

export interface Since {
  readonly stdout: number;
  readonly stderr: number;
}

export class LiveJob {
  readonly request: JobRequest;
  readonly digest: string;
  readonly stdout = new OutputRing(JOB_LIMITS.keptBytes);
  readonly stderr = new OutputRing(JOB_LIMITS.keptBytes);
  readonly #abort = new AbortController();
  #result: JobResult | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void)[] = [];

  constructor(request: JobRequest, digest: string) {
    this.request = request;
    this.digest = digest;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Told after something was pushed to a stream. */
  printed(): void {
    this.#ring();
  }

  end(result: JobResult): void {
    this.#result = result;
    this.#ring();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#ring();
  }

  /**
   * Resolves at the first of: something printed beyond `since` (unless only the end counts), the end, the wait running out, the
   * signal. Throws what the job failed with.
   */
  async read(since: Since, waitMs: number, untilEnd: boolean, signal: AbortSignal): Promise<JobReading> {
    const isNews = (): boolean =>
      this.#result !== undefined ||
      this.#failure !== undefined ||
      (!untilEnd && (this.stdout.end > since.stdout || this.stderr.end > since.stderr));
    for (const deadline = Date.now() + waitMs; !isNews() && !signal.aborted;) {
      const left = deadline - Date.now();
      if (left <= 0) break;
      await this.#change(left, signal);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    const [stdout, stderr] = [this.stdout.from(since.stdout), this.stderr.from(since.stderr)];
    return {
      result: this.#result,
      ...{ stdout: stdout.bytes, stdoutAt: stdout.at, stderr: stderr.bytes, stderrAt: stderr.at },
    };
  }

  #change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = this.#wake.filter((each) => each !== done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.#wake.push(done);
    });
  }

  #ring(): void {
    for (const wake of this.#wake) wake();
  }
}
