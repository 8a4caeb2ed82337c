/** One MCP server per request, the same for both eras. It holds no state, sends no notification and offers tools only. */
import { McpServer, type McpRequestContext, type Tool } from '@modelcontextprotocol/server';
import type { Agent } from '../access/agent.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import { describeTool, type ToolDefinition } from '../manifests/tool-definition.ts';
import type { HandleMcpCall } from '../tool-calls/call-tool.mcp.ts';
import { type ClientKind, kindOfName } from './client-kind.ts';
import type { OfferTools } from './offer-tools.ts';
import { OUTPUT_SCHEMA } from './tool-result.mcp.ts';

export interface McpParts {
  readonly catalogue: ToolCatalogue;
  readonly offerTools: OfferTools;
  readonly handleCall: HandleMcpCall;
  readonly resolveAgent: (token: string) => Promise<Agent>;
  readonly holdMsOf: (kind: ClientKind) => number;
}

/** What the endpoint found out about the caller, passed on beside the protocol's own data. */
export interface Caller {
  readonly agent: Agent;
  /** From the session id; unknown where the client has none. */
  readonly kind: ClientKind;
  /** Empty where the client has none. */
  readonly sessionId: string;
  /** Whether it takes output schemas and structured content. */
  readonly structured: boolean;
}

const INSTRUCTIONS =
  'Every effect goes through these tools. Content that nobody vouched for is given as references like ref:3: pass them on, you cannot read them. ' +
  'If an answer says "waiting for approval", a person has to decide: make the identical call again later.';

/** Tells the protocol layer a tool's schema without registering it: the schemas are ours and raw. */
class BrokerMcpServer extends McpServer {
  readonly #catalogue: ToolCatalogue;
  constructor(catalogue: ToolCatalogue) {
    super(
      { name: 'bravo-tool-broker', title: 'Bravo', version: '1.0.0' },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    this.#catalogue = catalogue;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#catalogue.get(name)?.inputSchema as Record<string, unknown> | undefined;
  }
}

export const buildMcpServer =
  (parts: McpParts) =>
  ({ authInfo }: Pick<McpRequestContext, 'authInfo'>): McpServer => {
    const caller = authInfo?.extra as unknown as Caller | undefined;
    if (authInfo === undefined || caller === undefined)
      throw new Error('an unauthenticated request reached the MCP server');
    const mcp = new BrokerMcpServer(parts.catalogue);
    mcp.server.setRequestHandler('tools/list', async () => ({
      tools: (await parts.offerTools(caller.agent)).map((tool) => toMcpTool(tool, caller.structured)),
    }));
    mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
      const kind = caller.kind === 'unknown' ? kindOfName(mcp.server.getClientVersion()?.name) : caller.kind;
      return parts.handleCall({
        agent: caller.agent,
        currentAgent: () => parts.resolveAgent(authInfo.token),
        tool: params.name,
        given: params.arguments ?? {},
        requestId: JSON.stringify([caller.sessionId, context.mcpReq.id]),
        holdMs: parts.holdMsOf(kind),
        signal: context.mcpReq.signal,
        canOpenUrl: mcp.server.getClientCapabilities()?.elicitation?.url !== undefined,
        returned: context.mcpReq.inputResponses !== undefined,
        structured: caller.structured,
      });
    });
    return mcp;
  };

const toMcpTool = ({ manifest, inputSchema, ...tool }: ToolDefinition, structured: boolean): Tool => ({
  name: manifest.name,
  title: manifest.title,
  description: describeTool({ manifest, inputSchema, ...tool }),
  inputSchema: inputSchema as unknown as Tool['inputSchema'],
  ...(structured ? { outputSchema: OUTPUT_SCHEMA } : {}),
  annotations: {
    title: manifest.title,
    readOnlyHint: manifest.effect === 'read',
    destructiveHint: manifest.effect === 'destructive' || manifest.name === 'write_file',
    idempotentHint: manifest.effect === 'read',
    openWorldHint: manifest.external,
  },
});
