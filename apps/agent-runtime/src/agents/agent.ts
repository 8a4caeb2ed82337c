/** One agent of this process, ready to work: what it is, how its model is reached, and a way to its tools for each conversation. */
import type { AgentConfig } from '../config/read-agents.ts';
import type { CallModel } from '../loop/model.ts';
import type { ToolCatalogue } from '../loop/tool-catalogue.ts';
import type { ToolServer } from '../loop/tool-server.ts';

export interface Agent {
  readonly config: AgentConfig;
  /** Undefined where no model is configured: the agent can be reached and cannot answer. */
  readonly callModel: CallModel | undefined;
  /** A session of its own with each tool server, as every socket gets. */
  readonly openToolServer: () => ToolServer;
  /** The tools listed at the start. */
  readonly catalogue: ToolCatalogue;
}
