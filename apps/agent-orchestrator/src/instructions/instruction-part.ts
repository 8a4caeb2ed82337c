/** Where what the model is told comes from; a part that may not be told says so and holds no word of itself. */
export interface InstructionPart {
  /** `platform`, `person`, `settings.<layer>` `skills` or `AGENTS.md`. */
  readonly source: string;
  readonly bytes: number;
  /** SHA-256; empty where nothing may be told of it. */
  readonly digest: string;
  readonly told: boolean;
  /** Why it is not told; empty where it is. */
  readonly note: string;
}

export interface Composed {
  readonly text: string;
  readonly parts: readonly InstructionPart[];
}

/** One version, as it was told from some turn on. */
export interface ToldInstructions extends Composed {
  readonly version: number;
  /** SHA-256 of the text. */
  readonly digest: string;
  readonly createdAt: Date;
}
