/**
 * Asks the person at the other end of a connection before a tool is called, where the agent's risk profile wants it.
 *
 * No answer within 120 s, a closed connection and any word but `approve` or `always` are a no; `always` holds for this
 * connection and tool, and never for one that is always to be asked for.
 */
import { randomUUID } from 'node:crypto';
import type { AgentConfig } from '../config/read-agents.ts';

export interface ApprovalRequest {
  readonly type: 'approval_request';
  readonly request_id: string;
  readonly tool: string;
  readonly arguments_summary: string;
  readonly timeout_secs: number;
}
export type Decision = 'approve' | 'always' | 'deny';

export const APPROVAL_SECONDS = 120;
const SUMMARY_CHARACTERS = 400;

export class Approvals {
  readonly #waiting = new Map<string, (decision: Decision) => void>();
  readonly #always = new Set<string>();

  constructor(
    private readonly agent: Pick<AgentConfig, 'level' | 'autoApprove' | 'alwaysAsk'>,
    /** Undefined where nobody can be asked: whatever would be asked is denied. */
    private readonly ask: ((request: ApprovalRequest) => void) | undefined,
    private readonly seconds = APPROVAL_SECONDS,
  ) {}

  /** Whether `tool` may be called now. Rejects when `signal` is aborted while it waits. */
  async allow(tool: string, argumentsJson: string, signal: AbortSignal): Promise<boolean> {
    const { level, autoApprove, alwaysAsk } = this.agent;
    if (level === 'full') return true;
    if (level === 'readonly') return false;
    const always = includes(alwaysAsk, tool);
    if (!always && (includes(autoApprove, tool) || this.#always.has(tool))) return true;
    const decision = await this.#ask(tool, argumentsJson, signal);
    if (decision === 'always') this.#always.add(tool);
    return decision !== 'deny';
  }

  /** @returns false when nothing of that id waits for an answer. */
  answer(requestId: string, decision: Decision): boolean {
    const waiting = this.#waiting.get(requestId);
    waiting?.(decision);
    return waiting !== undefined;
  }

  /** Whatever waits is denied. */
  close(): void {
    for (const decide of this.#waiting.values()) decide('deny');
  }

  #ask(tool: string, argumentsJson: string, signal: AbortSignal): Promise<Decision> {
    const { ask } = this;
    if (ask === undefined) return Promise.resolve('deny');
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stopped);
        this.#waiting.delete(id);
      };
      const decide = (decision: Decision): void => (settle(), resolve(decision));
      const stopped = (): void => (settle(), reject(new Error('aborted')));
      const timer = setTimeout(() => decide('deny'), this.seconds * 1_000);
      signal.addEventListener('abort', stopped, { once: true });
      this.#waiting.set(id, decide);
      ask({
        type: 'approval_request',
        request_id: id,
        tool,
        arguments_summary: argumentsJson.slice(0, SUMMARY_CHARACTERS),
        timeout_secs: this.seconds,
      });
    });
  }
}

const includes = (names: readonly string[], tool: string): boolean => names.includes('*') || names.includes(tool);
