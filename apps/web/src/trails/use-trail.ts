/** The conversation's part of the verifiable log and whether the log verifies, read again whenever something was recorded. */
import { useEffect, useState } from 'react';
import { readAudit, verifyAudit } from '../api/bravo.client.ts';
import type { AuditEntry, AuditVerification } from '../api/contract.ts';
import { type Problem, toProblem } from '../api/problem.ts';

export interface TrailState {
  entries: AuditEntry[];
  verification: AuditVerification | null;
  problem: Problem | null;
  loaded: boolean;
}

/** Events reach the log through an outbox and a stream: soon, not at once. The second look catches what the first was too early for. */
const LOOKS_MS = [200, 1200, 4000];

export function useTrail(workspace: string, conversation: string, recorded: number): TrailState {
  const [trail, setTrail] = useState<TrailState>({ entries: [], verification: null, problem: null, loaded: false });

  useEffect(() => {
    let current = true;
    const look = async (): Promise<void> => {
      try {
        const [entries, verification] = await Promise.all([readAudit(workspace, conversation), verifyAudit(workspace)]);
        if (current) setTrail({ entries, verification, problem: null, loaded: true });
      } catch (error) {
        if (current) setTrail((known) => ({ ...known, problem: toProblem(error), loaded: true }));
      }
    };
    const timers = LOOKS_MS.map((ms) => setTimeout(() => void look(), ms));
    return () => {
      current = false;
      for (const timer of timers) clearTimeout(timer);
    };
  }, [workspace, conversation, recorded]);

  return trail;
}
