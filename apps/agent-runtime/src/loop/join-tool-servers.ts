/** Several tool servers as one: each is asked for its own tools, and one that is away costs only its own. */
import type { OfferedTool } from './conversation.ts';
import type { ToolServer } from './tool-server.ts';

export interface NamedToolServer extends ToolServer {
  /** What the names of its tools begin with, up to the two underscores. */
  readonly name: string;
}

/** `excluded` are names as the model sees them; they are neither shown nor called. */
export function joinToolServers(
  servers: readonly NamedToolServer[],
  excluded: readonly string[],
  log: (message: string) => void,
): ToolServer {
  return {
    async listTools(signal) {
      const failures: unknown[] = [];
      const lists = await Promise.all(
        servers.map(({ name, listTools }) =>
          listTools(signal).catch((error: unknown): OfferedTool[] => {
            failures.push(error);
            if (!signal.aborted) log(`the tools of ${name} could not be listed: ${(error as Error).message}`);
            return [];
          }),
        ),
      );
      if (failures.length > 0 && failures.length === servers.length) throw failures[0];
      return lists.flat().filter(({ name }) => !excluded.includes(name));
    },
    async callTool(name, argumentsJson, signal) {
      const server = servers.find((one) => name.startsWith(`${one.name}__`));
      if (!server || excluded.includes(name)) return `Error: there is no tool called ${name}.`;
      return server.callTool(name, argumentsJson, signal);
    },
  };
}
