/** Whether @bravo can be used in this workspace at all, and whether programs can be run; asked of the server, never assumed. */
import { useEffect, useState } from 'react';
import { checkTools } from '../api/bravo.client.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { readList } from '../api/read-answers.ts';
import { readAvailability, type ToolsAvailability } from './read-availability.ts';

export interface Availability extends ToolsAvailability {
  /** What the installation says of itself. */
  warnings: readonly string[];
}

export function useAvailability(workspace: string, warnings: readonly string[] = []): Availability {
  const [found, setFound] = useState({ off: '', noPrograms: '' });
  useEffect(() => {
    let current = true;
    setFound({ off: '', noPrograms: '' });
    if (workspace === '') return;
    checkTools(workspace)
      .then((answer) => current && setFound(readAvailability(readList(answer, 'tools'))))
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
