/** Wakes held calls of this process as soon as a question changed here; other processes notice by looking. It decides nothing. */

export interface AnswerSignal {
  pause(approvalId: string, ms: number): Promise<void>;
  wake(approvalId: string): void;
  wakeAll(): void;
}

export const createAnswerSignal = (): AnswerSignal => {
  const sleepers = new Map<string, Set<() => void>>();
  const wake = (approvalId: string): void => sleepers.get(approvalId)?.forEach((resume) => resume());
  return {
    pause: (approvalId, ms) =>
      new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          const others = sleepers.get(approvalId);
          others?.delete(resume);
          if (others?.size === 0) sleepers.delete(approvalId);
          resolve();
        };
        const timer = setTimeout(resume, ms);
        const others = sleepers.get(approvalId) ?? new Set();
        sleepers.set(approvalId, others.add(resume));
      }),
    wake,
    wakeAll: () => [...sleepers.keys()].forEach(wake),
  };
};
