/** One call for one request of a client, however often it arrives while it is worked on: a repeated message meets the work of the first and never begins its own. */

export type JoinCalls<T> = (
  /** Names the request: token, session, id and what is called. */
  key: string,
  /** Of this arrival: aborted when its connection is gone. */
  signal: AbortSignal,
  /** `signal` is aborted when the connection of every arrival is gone. */
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

interface Joined<T> {
  readonly answer: Promise<T>;
  readonly everybodyGone: AbortController;
  present: number;
}

/** Of one process. A message repeated after the answer, or to another process, is a new call: approvals and not ids make effects single there. */
export const createJoinCalls = <T>(): JoinCalls<T> => {
  const joined = new Map<string, Joined<T>>();
  return (key, signal, work) => {
    let call = joined.get(key);
    if (call === undefined) {
      const everybodyGone = new AbortController();
      const answer = work(everybodyGone.signal).finally(() => joined.delete(key));
      call = { answer, everybodyGone, present: 0 };
      joined.set(key, call);
    }
    const { answer, everybodyGone } = call;
    const mine = call;
    mine.present += 1;
    const goAway = (): void => {
      mine.present -= 1;
      if (mine.present === 0) everybodyGone.abort();
    };
    signal.addEventListener('abort', goAway, { once: true });
    if (signal.aborted) goAway();
    return answer.finally(() => signal.removeEventListener('abort', goAway));
  };
};
