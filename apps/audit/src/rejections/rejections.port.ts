/** Messages that no log could take, kept whole. Nothing here can change or remove one. */
export interface Rejection {
  readonly id: number;
  readonly streamSequence: number;
  readonly subject: string;
  readonly bodyDigest: string;
  readonly reason: string;
  readonly recordedAt: Date;
  /** Empty of one from before bodies were kept. */
  readonly body: string;
  /** Of the last try; empty where there was none. */
  readonly outcome: string;
}

export interface Rejections {
  /** Whose subject ends in that workspace; newest first. */
  list(workspaceId: string, limit: number): Promise<readonly Rejection[]>;
  find(workspaceId: string, id: number): Promise<Rejection | undefined>;
  /** What came of trying it again, with its event. */
  addRetry(workspaceId: string, id: number, outcome: string, by: string): Promise<void>;
  /** Of all workspaces, those that no try has recorded yet. */
  countOpen(): Promise<number>;
}
