/** What stands at the head of every request of a conversation. */
export interface TheInstructions {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly version: number;
  /** SHA-256 of the text as lower-case hexadecimal digits. */
  readonly digest: string;
  readonly text: string;
}

export interface InstructionStore {
  /** `undefined`: nobody gave it any, as with a conversation an attached agent works in. */
  find(workspaceId: string, conversationId: string): Promise<TheInstructions | undefined>;
  /** An older version than the one that is kept changes nothing. */
  put(instructions: TheInstructions): Promise<void>;
  forget(workspaceId: string, conversationId: string): Promise<void>;
}
