/** The conversation's part of the verifiable log and whether the log verifies, read again whenever something was recorded. */
import { useEffect, useState } from 'react';
import { readAudit, verifyAudit } from '../api/bravo.client.ts';
import type { AuditEntry, AuditVerification } from '../api/contract.ts';
import { type Problem, toProblem } from '../api/problem.ts';

/** `not-allowed`: the role does not open the whole log, and verifying needs the whole. */
export type Verification = AuditVerification | Problem | 'unknown' | 'not-allowed';

export interface TrailState {
  entries: AuditEntry[];
  verification: Verification;
  /** Why the entries could not be read. */
  problem: Problem | null;
  loaded: boolean;
}

/** Events reach the log through an outbox and a stream: soon, not at once. The later looks catch what the first was too early for. */
const LOOKS_MS = [200, 1200, 4000];

/** @param mayVerify whether the person has `audit_read`; without it the server is not asked what it would refuse. */
export function useTrail(workspace: string, conversation: string, mayVerify: boolean, recorded: number): TrailState {
  const [trail, setTrail] = useState<TrailState>({
    entries: [],
    verification: mayVerify ? 'unknown' : 'not-allowed',
    problem: null,
    loaded: false,
  });

  useEffect(() => {
    let current = true;
    const look = async (): Promise<void> => {
      const verifying: Promise<Verification> = mayVerify
        ? verifyAudit(workspace).catch(toProblem)
        : Promise.resolve('not-allowed');
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
  }, [workspace, conversation, mayVerify, recorded]);

  return trail;
}
