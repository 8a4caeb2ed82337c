/** How many questions one conversation may put to its person. Guarantees that an agent which asks without end is refused before the person is buried; identical calls are one question and count once. */

export interface AskedSoFar {
  /** That wait for an answer. */
  readonly waiting: number;
  /** Asked within {@link WINDOW_MS}, whatever became of them. */
  readonly lately: number;
}

export const WINDOW_MS = 10 * 60_000;
export const MAX_WAITING = 25;
export const MAX_LATELY = 120;

/** Why no further question is put; undefined where one may be. */
export const refuseQuestion = ({ waiting, lately }: AskedSoFar): string | undefined => {
  if (waiting >= MAX_WAITING)
    return `${MAX_WAITING} questions of this conversation wait for the person, which is the most. Wait for an answer, or stop and say what you need.`;
  if (lately >= MAX_LATELY)
    return `This conversation has asked the person ${MAX_LATELY} times within ten minutes, which is the most. Stop and say what you need.`;
  return undefined;
};
