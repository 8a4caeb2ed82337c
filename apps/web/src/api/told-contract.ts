/** What the gateway answers about what Bravo was told; it repeats the shape and decides nothing. */
export interface ToldPart {
  source: string;
  bytes: number;
  digest: string;
  told: boolean;
  note: string;
}

/** Answer of `GET …/conversations/:cid/instructions`. */
export interface ToldInstructions {
  /** 0: no turn has begun yet. */
  version: number;
  digest: string;
  text: string;
  since: string | null;
  parts: ToldPart[];
  summary: { text: string; messages: number; left_out: number } | null;
  context: {
    model: string;
    label: string;
    window_tokens: number;
    window_assumed: boolean;
    budget_tokens: number;
    setting: string;
    last_tokens: number;
    /** False: an estimate. */
    last_measured: boolean;
  };
}
