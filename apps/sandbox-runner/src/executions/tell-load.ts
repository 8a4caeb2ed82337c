/** What the sandbox's queue and pool look like, at `/metrics`. */
import { measure } from '@bravo/chassis/metrics';
import type { Admission } from './admission.ts';

export interface WaitingPlaces {
  waiting(): Promise<readonly { readonly what: string; readonly count: number; readonly bytes: number }[]>;
}

export const tellLoad = (admission: Pick<Admission, 'load'>, places: WaitingPlaces): void => {
  measure('bravo_executions_now', 'Programs that run and that wait their turn.', ['state'], async () =>
    Object.entries(admission.load).map(([state, value]) => ({ value, labels: { state } })),
  );
  measure('bravo_sandbox_waiting', 'Interpreters and furnished places that wait for a program.', ['what'], async () =>
    (await places.waiting()).map(({ what, count }) => ({ value: count, labels: { what } })),
  );
  measure('bravo_sandbox_waiting_bytes', 'Memory the kernel counts for what waits.', ['what'], async () =>
    (await places.waiting()).map(({ what, bytes }) => ({ value: bytes, labels: { what } })),
  );
};
