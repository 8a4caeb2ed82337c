/** Whoever takes a delivery. Guarantees nothing about what it does with it: `deliver` resolves once it has answered that it has it. */
import type { Destination } from './destination.port.ts';
import type { DestinationSecret } from './read-destination.ts';

export interface DeliveredLine {
  readonly kind: 'checkpoint' | 'entry' | 'end';
  /** One line of the format, without its end. */
  readonly text: string;
  /** As syslog counts them: 6 informational, 5 notice, 4 warning. */
  readonly severity: 4 | 5 | 6;
  readonly time: Date;
}

export interface Delivery {
  readonly workspaceId: string;
  /** The same for the same entries of the same destination. Printable. */
  readonly deliveryId: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly contentType: string;
  /** The checkpoint, the entries, and how many they were. */
  readonly lines: readonly DeliveredLine[];
}

export interface Receiver {
  /** @throws DeliveryProblem, or what the connection said; then nothing is known, and the same comes again. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<void>;
  close(): void;
}

export type OpenReceiver = (destination: Destination, secret: DestinationSecret) => Receiver;

/** Not taken, in our own words: never with anything the receiver said. */
export class DeliveryProblem extends Error {
  override readonly name = 'DeliveryProblem';
  /** It asked not to be asked again before. */
  readonly waitMs: number | undefined;
  constructor(sentence: string, waitMs?: number) {
    super(sentence);
    this.waitMs = waitMs;
  }
}
