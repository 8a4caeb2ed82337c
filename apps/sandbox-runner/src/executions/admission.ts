/**
 * Who may run next: a bounded number at once, bounded queues, and fair between workspaces, so that one workspace's flood makes
 * another wait for one program at most and not for the flood.
 */
import { Fault } from '@bravo/faults';

export interface AdmissionBounds {
  /** Programs at the same time. */
  readonly running: number;
  /** Programs of one workspace that may wait. */
  readonly waitingPerWorkspace: number;
  /** Programs of all workspaces that may wait. */
  readonly waiting: number;
}

type Leave = () => void;

interface Waiter {
  readonly admit: (leave: Leave) => void;
}

interface Workspace {
  running: number;
  /** When it was last let in, as a count of admissions. */
  servedAt: number;
  readonly queue: Waiter[];
}

/** What a program takes until something is known. */
const FIRST_GUESS_MS = 1_000;

export class Admission {
  readonly #bounds: AdmissionBounds;
  readonly #now: () => number;
  readonly #workspaces = new Map<string, Workspace>();
  #running = 0;
  #waiting = 0;
  #admissions = 0;
  #usualMs = FIRST_GUESS_MS;

  constructor(bounds: AdmissionBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /**
   * Resolves with how to leave, to be called once. Throws `resource_exhausted` with `retry_after_seconds` when too many wait;
   * rejects with the signal's reason when it aborts first.
   */
  async enter(workspaceId: string, signal: AbortSignal): Promise<Leave> {
    signal.throwIfAborted();
    const workspace = this.#workspace(workspaceId);
    if (this.#running < this.#bounds.running) return this.#admit(workspaceId, workspace);
    if (workspace.queue.length >= this.#bounds.waitingPerWorkspace) {
      throw this.#full('Too many programs of this workspace wait to be run.', workspace.queue.length);
    }
    if (this.#waiting >= this.#bounds.waiting) {
      this.#forgetIdle(workspaceId, workspace);
      throw this.#full('Too many programs wait to be run.', this.#waiting);
    }
    return new Promise<Leave>((resolve, reject) => {
      const waiter: Waiter = {
        admit: (leave) => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        },
      };
      const giveUp = () => {
        workspace.queue.splice(workspace.queue.indexOf(waiter), 1);
        this.#waiting -= 1;
        this.#forgetIdle(workspaceId, workspace);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      workspace.queue.push(waiter);
      this.#waiting += 1;
    });
  }

  #workspace(id: string): Workspace {
    const known = this.#workspaces.get(id);
    if (known !== undefined) return known;
    const workspace = { running: 0, servedAt: 0, queue: [] };
    this.#workspaces.set(id, workspace);
    return workspace;
  }

  #admit(id: string, workspace: Workspace): Leave {
    this.#running += 1;
    this.#admissions += 1;
    workspace.running += 1;
    workspace.servedAt = this.#admissions;
    const began = this.#now();
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#usualMs += (this.#now() - began - this.#usualMs) / 8;
      this.#running -= 1;
      workspace.running -= 1;
      this.#next();
      this.#forgetIdle(id, workspace);
    };
  }

  /** The workspace that runs the least is next, and among equals the one that was let in longest ago. */
  #next(): void {
    let chosen: [string, Workspace] | undefined;
    for (const [id, workspace] of this.#workspaces) {
      if (workspace.queue.length === 0) continue;
      const best = chosen?.[1];
      const less = best === undefined || workspace.running < best.running;
      const earlier = workspace.running === best?.running && workspace.servedAt < best.servedAt;
      if (less || earlier) chosen = [id, workspace];
    }
    const waiter = chosen?.[1].queue.shift();
    if (chosen === undefined || waiter === undefined) return;
    this.#waiting -= 1;
    waiter.admit(this.#admit(...chosen));
  }

  #forgetIdle(id: string, workspace: Workspace): void {
    if (workspace.running === 0 && workspace.queue.length === 0) this.#workspaces.delete(id);
  }

  #full(sentence: string, ahead: number): Fault {
    const seconds = Math.min(60, Math.max(1, Math.ceil((ahead * this.#usualMs) / this.#bounds.running / 1_000)));
    return new Fault('resource_exhausted', `${sentence} Try again in ${seconds} s.`, {
      meta: { retry_after_seconds: String(seconds) },
    });
  }
}
