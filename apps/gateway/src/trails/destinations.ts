/** Where the trail is delivered to, as the edge needs it of audit. */
import type { CallSubject } from '../callers/caller.ts';
import type { DestinationBody, DestinationPut, DestinationView } from './destination-routes.ts';

export interface Destinations {
  list(subject: CallSubject): Promise<DestinationView[]>;
  /** An empty id makes a new one. */
  put(subject: CallSubject, id: string, body: DestinationBody): Promise<DestinationPut>;
  remove(subject: CallSubject, id: string): Promise<void>;
}
