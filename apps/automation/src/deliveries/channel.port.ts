/** A way to reach a person outside the page. An adapter needs an address and words; it is told nothing else. */
export interface Letter {
  /** Stays the same when it is sent again after a crash, so that a mailbox shows it once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** One notification, to an address that its person named. */
export interface Call {
  /** Of the event it is about: the same again when it is sent again. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  /** Whose log the connection is told in. */
  readonly workspaceId: string;
  readonly userId: string;
}

export interface CallChannel {
  /** Resolves once the other side has answered that it has it. @throws when it did not, in words for the person; it is tried again. */
  send(call: Call): Promise<void>;
}

export interface Channel {
  /** Resolves once the other side has taken it. @throws when it did not; it is tried again. */
  send(letter: Letter): Promise<void>;
  close(): void;
}
