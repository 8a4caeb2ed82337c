/** Whether a pod can work: it serves, and its agent has been given the platform's tools. A pod without tools is not ready. */
import type { Endpoint } from '@bravo/container-runtime';

/** False for whatever is not a clear yes. */
export type ProbePod = (endpoint: Endpoint, secret: string, signal: AbortSignal) => Promise<boolean>;
