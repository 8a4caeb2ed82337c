/** What the journeys in tests/journeys ask of a running platform; start-platform.ts makes one exactly as `./bravo up` does. */

export interface Platform {
  /** The state directory (a BRAVO_HOME of its own). */
  readonly home: string;
  /** http://127.0.0.1:<port> */
  readonly gatewayUrl: string;
  /** host:port by service name (identity, orchestrator, broker, sandbox, models, audit). */
  readonly grpcAddresses: Readonly<Record<string, string>>;
  readonly mcpUrl: string;
  readonly modelUrl: string;
  /** An API token of a seeded person, as `./bravo token --as NAME` makes one. `workspace` is the slug. */
  token(name: string): Promise<{ token: string; workspace: string }>;
  /** As `./bravo attach --as NAME`. */
  attach(name: string, conversation?: string): Promise<{ conversation: string; mcp_url: string; model_url: string; token: string; expires_at: string }>;
  /** Sets a feature override with the operator's key. */
  setFeatureOverride(workspaceSlug: string, feature: string, enabled: boolean): Promise<void>;
  /** Pids of the agent pods of this platform that are alive (warm ones too). */
  podPids(): Promise<number[]>;
  /** kill -9 of the present process of an app (folder name under apps/). */
  kill(app: string): Promise<void>;
  /** Waits until the supervisor has a new process of the app and it answers /readyz. */
  waitReady(app: string): Promise<void>;
  /** A second gateway process on a free port. @returns its URL. */
  startExtraGateway(): Promise<string>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  /** Added to the environment of every service that knows the variable. */
  readonly env?: Readonly<Record<string, string>>;
}
