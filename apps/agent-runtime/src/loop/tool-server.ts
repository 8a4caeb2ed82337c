/** What the loop needs of a tool server; how one is reached stands elsewhere. */
import type { OfferedTool } from './conversation.ts';

export interface ToolServer {
  /** The tools as they are now. Throws when the server cannot be asked. */
  listTools(signal: AbortSignal): Promise<OfferedTool[]>;
  /** The text for the model: the whole result object as JSON, or `Error: …`. */
  callTool(name: string, argumentsJson: string, signal: AbortSignal): Promise<string>;
}
