/** A way to reach a person outside the page. An adapter needs an address and words; it is told nothing else. */
export interface Letter {
  /** Stays the same when it is sent again after a crash, so that a mailbox shows it once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Channel {
  /** Resolves once the other side has taken it. @throws when it did not; it is tried again. */
  send(letter: Letter): Promise<void>;
  close(): void;
}
