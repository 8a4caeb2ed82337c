/** The conversation's part of the verifiable log and whether the log verifies, read again whenever something was recorded. */
import { useEffect, useState } from 'react';
import { readAudit, verifyAudit } from '../api/bravo.client.ts';
import type { AuditEntry, AuditVerification } from '../api/contract.ts';
import { type Problem, toProblem } from '../api/problem.ts';

export type Verification = AuditVerification | Problem | 'unknown';

export interface TrailState {
  entries: AuditEntry[];
  verification: Verification;
  /** Why the entries could not be read. */
  problem: Problem | null;
  loaded: boolean;
}

/** Events reach the log through an outbox and a stream: soon, not at once. The later looks catch what the first was too early for. */
const LOOKS_MS = [200, 1200, 4000];

/** @param recorded grows with whatever was put into the log. */
export function useTrail(workspace: string, conversation: string, recorded: number): TrailState {
  const [trail, setTrail] = useState<TrailState>({
    entries: [],
    verification: 'unknown',
    problem: null,
    loaded: false,
  });

  useEffect(() => {
    let current = true;
    const look = async (): Promise<void> => {
      const verifying: Promise<Verification> = verifyAudit(workspace).catch(toProblem);
      const reading = readAudit(workspace, conversation).then(
        (entries) => ({ entries, problem: null }),
        (error: unknown) => ({ entries: null, problem: toProblem(error) }),
      );
      const [verification, read] = await Promise.all([verifying, reading]);
      if (!current) return;
      setTrail((known) => ({
        entries: read.entries ?? known.entries,
        verification,
        problem: read.problem,
        loaded: true,
      }));
    };
    const timers = LOOKS_MS.map((ms) => setTimeout(() => void look(), ms));
    return () => {
      current = false;
      for (const timer of timers) clearTimeout(timer);
    };
  }, [workspace, conversation, recorded]);

  return trail;
}
