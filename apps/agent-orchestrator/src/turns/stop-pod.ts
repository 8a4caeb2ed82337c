/** Stops what a pod does for a turn: it is given a moment to stop by itself, and one that does not is ended, because effects of it may still be coming. */
import type { PodConnection } from './connect-pod.ts';

const PATIENCE_MS = 900;

/** `quiet` resolves once the pod has answered. Resolves within the patience; a pod that is ended is not waited for. */
export const stopPod = async (
  { pod, chat }: PodConnection,
  quiet: Promise<unknown>,
  releasePod: (podId: string, reason: string) => Promise<void>,
): Promise<void> => {
  if (!pod) return;
  // Whatever releasing it meets is met again by the round that looks after pods.
  const release = (reason: string): void => void releasePod(pod.id, reason).catch(() => undefined);
  if (!chat) return release('the turn was stopped');
  void chat.abort();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), PATIENCE_MS)));
  const answered = await Promise.race([quiet.then(() => true), patience]);
  clearTimeout(timer);
  if (!answered) release('it did not stop when asked');
};
