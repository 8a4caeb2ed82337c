/** The model that answers in the open conversation, and the list it may be chosen from once somebody wants to see it. */
import { useCallback, useEffect, useState } from 'react';
import { chooseModel, listModels, readModelChoice } from '../api/bravo.client.ts';
import type { ModelChoice, ModelList } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';

export interface ModelChoosing {
  choice: ModelChoice | null;
  list: ModelList | null;
  problem: string;
  load: () => Promise<void>;
  choose: (scope: 'conversation' | 'person', wanted: { model?: string; effort?: string }) => Promise<void>;
}

export function useModelChoice(workspace: string, conversation: string): ModelChoosing {
  const [choice, setChoice] = useState<ModelChoice | null>(null);
  const [list, setList] = useState<ModelList | null>(null);
  const [problem, setProblem] = useState('');
  const tell = (error: unknown): void => setProblem(problemText(toProblem(error)));

  useEffect(() => {
    let gone = false;
    readModelChoice(workspace, conversation).then(
      (read) => !gone && setChoice(read),
      (error: unknown) => !gone && tell(error),
    );
    return () => {
      gone = true;
    };
  }, [workspace, conversation]);

  const load = useCallback(async () => {
    setProblem('');
    try {
      const [models, chosen] = await Promise.all([listModels(workspace), readModelChoice(workspace, conversation)]);
      setList(models);
      setChoice(chosen);
    } catch (error) {
      tell(error);
    }
  }, [workspace, conversation]);

  const choose = useCallback<ModelChoosing['choose']>(
    async (scope, wanted) => {
      setProblem('');
      try {
        await chooseModel(workspace, conversation, scope, wanted);
        setChoice(await readModelChoice(workspace, conversation));
      } catch (error) {
        tell(error);
      }
    },
    [workspace, conversation],
  );
  return { choice, list, problem, load, choose };
}
