/** What an operator must look at, kept as rows that nothing changes. */
export interface Alert {
  /** gap: a producer's number never came. sink: a place for checkpoints takes nothing. signing: a log cannot be signed. verify: a log does not verify. pruning: a log is not what was signed, so nothing of it is pruned. */
  readonly kind: 'gap' | 'sink' | 'signing' | 'verify' | 'delivery' | 'pruning';
  /** The same subject of the same kind is one alert, however often it is found. */
  readonly subject: string;
  /** Empty where it concerns the whole platform. */
  readonly workspaceId: string;
  readonly detail: string;
}

export interface StoredAlert extends Alert {
  readonly id: number;
  readonly raisedAt: Date;
}

export interface Alerts {
  /** @returns whether it is new. */
  raise(alert: Alert): Promise<boolean>;
  /** Newest first; of the workspace and of the whole platform. */
  list(workspaceId: string, limit: number): Promise<readonly StoredAlert[]>;
  count(): Promise<readonly { readonly kind: string; readonly count: number }[]>;
}
