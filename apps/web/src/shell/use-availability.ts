/** Whether @bravo can be used in this workspace at all, and whether programs can be run; asked of the server, never assumed. */
import { useEffect, useState } from 'react';
import { checkTools } from '../api/bravo.client.ts';
import { toProblem } from '../api/problem.ts';
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
        // It is a state of the workspace and no occurrence to look up, so its reference says nothing to anybody.
        if (current && problem.status === 403) setFound({ off: problem.sentence, noPrograms: '' });
      });
    return () => {
      current = false;
    };
  }, [workspace]);
  return { ...found, warnings };
}
