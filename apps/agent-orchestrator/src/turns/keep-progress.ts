/** Keeps what a running turn has said and hears its orders, again and again, one look at a time; what fails is tried again. */

export interface KeepProgressParts {
  /** Keeps the text there is now and hears whether to go on. */
  checkIn(): Promise<'go_on' | 'cancel' | 'lost'>;
  onOrder(order: 'cancelled' | 'lease_lost'): void;
  onError(error: unknown): void;
}

const EVERY_MS = 400;

export const keepProgress = ({ checkIn, onOrder, onError }: KeepProgressParts): { stop(): void } => {
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const heard = await checkIn();
      if (heard === 'cancel') onOrder('cancelled');
      if (heard === 'lost') onOrder('lease_lost');
    } catch (error) {
      onError(error);
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  return { stop: () => clearInterval(timer) };
};
