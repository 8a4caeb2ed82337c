/** Whether @bravo can be used in this workspace at all, and whether programs can be run; asked of the server, never assumed. */
import { useEffect, useState } from 'react';
import { checkTools } from '../api/bravo.client.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { readList } from '../api/read-answers.ts';

export interface Availability {
  /** Why @bravo cannot be used here; empty when it can. */
  off: string;
  /** Why programs cannot be run, when only that is missing. */
  noPrograms: string;
  /** What the installation says of itself. */
  warnings: readonly string[];
}

interface ToolRow {
  name?: string;
  policy_state?: string;
  policy_reason?: string;
}

export function useAvailability(workspace: string, warnings: readonly string[] = []): Availability {
  const [found, setFound] = useState({ off: '', noPrograms: '' });
  useEffect(() => {
    let current = true;
    setFound({ off: '', noPrograms: '' });
    if (workspace === '') return;
    checkTools(workspace)
      .then((answer) => current && setFound({ off: '', noPrograms: noPrograms(answer) }))
      .catch((error: unknown) => {
        const problem = toProblem(error);
        // Only a refusal means "off"; a server that is not there says so elsewhere.
        if (current && problem.status === 403) setFound({ off: problemText(problem), noPrograms: '' });
      });
    return () => {
      current = false;
    };
  }, [workspace]);
  return { ...found, warnings };
}

function noPrograms(answer: Record<string, unknown>): string {
  const script = readList<ToolRow>(answer, 'tools').find((tool) => tool.name === 'execute_script');
  return script?.policy_state === 'denied' ? script.policy_reason || 'Running programs is not allowed here.' : '';
}
