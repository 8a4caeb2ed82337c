/** The MCP endpoint over Streamable HTTP: authenticates, tells the eras apart and hands over. It answers a 2024-2025 client with one plain JSON document and nothing before it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { All, Controller, Get, Inject, type OnApplicationShutdown, Req, Res } from '@nestjs/common';
import { MalformedJson } from '../json/json-body.http.ts';
import { challengeOf, readBearer } from './bearer.ts';
import { buildMcpServer, type Caller, type McpParts } from './broker-mcp-server.mcp.ts';
import { knowsStructuredContent } from './tool-result.mcp.ts';
import { issueSessionId, kindOfName, kindOfSession } from './client-kind.ts';
import { createCallLimits } from './limit-calls.ts';

export const MCP_PARTS = Symbol('mcp parts');

export interface McpEndpointParts extends McpParts {
  /** The endpoint's own URL: the resource agents' tokens are for. */
  readonly mcpUrl: string;
  readonly onError: (error: unknown) => void;
  /** Another server behind this endpoint: only the conformance build has one. Who may come in, and what is read of a request, stays as it is. */
  readonly replaceServer?: ReplacedServer;
}

export interface ReplacedServer {
  build(context: Pick<McpRequestContext, 'era' | 'authInfo'>, notify: McpNotify): McpServer;
  /** Whether a request of an old revision belongs to a session of its own, or opens one; else it is answered as any other. */
  claims(request: IncomingMessage, body: unknown): boolean;
  serveSession(request: IncomingMessage & { auth?: AuthInfo }, response: ServerResponse, body: unknown): Promise<void>;
}

export type McpNotify = ReturnType<typeof createMcpHandler>['notify'];

interface FastifyRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly raw: IncomingMessage & { auth?: AuthInfo };
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  status(code: number): FastifyReply;
  header(name: string, value: string): FastifyReply;
  send(body: unknown): FastifyReply;
}

@Controller()
export class McpController implements OnApplicationShutdown {
  readonly #parts: McpEndpointParts;
  readonly #build: (context: Pick<McpRequestContext, 'era' | 'authInfo'>) => McpServer;
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #serveModern: ReturnType<typeof toNodeHandler>;
  readonly #metadataUrl: string;
  readonly #limits = createCallLimits();

  constructor(@Inject(MCP_PARTS) parts: McpEndpointParts) {
    this.#parts = parts;
    const { replaceServer } = parts;
    const own = buildMcpServer(parts);
    this.#build = (context) => replaceServer?.build(context, this.#modern.notify) ?? own(context);
    this.#modern = createMcpHandler((context) => this.#build(context), { legacy: 'reject', onerror: parts.onError });
    this.#serveModern = toNodeHandler(this.#modern, { onerror: parts.onError });
    this.#metadataUrl = metadataUrlOf(parts.mcpUrl);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#modern.close();
  }

  // The router of the chassis takes each path with and without a slash at its end.
  @Get(['.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource/mcp'])
  metadata(): Record<string, unknown> {
    // No authorization server is named: agent tokens are minted by the platform when a pod or an attached agent is given one.
    return { resource: this.#parts.mcpUrl, bearer_methods_supported: ['header'], resource_name: 'Bravo tool-broker' };
  }

  @All('mcp')
  async serveMcp(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const origin = one(request.headers['origin']);
    if (origin !== undefined && origin !== new URL(this.#parts.mcpUrl).origin) {
      reply
        .status(403)
        .send({ error: 'forbidden', error_description: 'Pages of other origins may not call this endpoint.' });
      return;
    }
    const outcome = await readBearer(one(request.headers['authorization']), this.#parts.resolveAgent);
    if (outcome.kind === 'refused') {
      if (outcome.status === 401) reply.header('www-authenticate', challengeOf(outcome, this.#metadataUrl));
      else reply.header('retry-after', '1');
      reply.status(outcome.status).send({ error: outcome.error, error_description: outcome.description });
      return;
    }
    const wait = this.#limits.take(outcome.agent.tokenId, messagesIn(request.body));
    if (wait !== undefined) {
      const data = { code: 'resource_exhausted', retry_after_seconds: wait };
      const message = `Refused: too many requests of this agent. Go on in ${wait} s, and more slowly.`;
      const { id = null } = (request.body ?? {}) as { id?: unknown };
      reply.status(429).header('retry-after', String(wait));
      reply.send({ jsonrpc: '2.0', id, error: { code: -32000, message, data } });
      return;
    }
    if (request.body instanceof MalformedJson) {
      reply.status(400).send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: request.body.message } });
      return;
    }
    const sessionId = one(request.headers['mcp-session-id']);
    const caller: Caller = {
      agent: outcome.agent,
      kind: kindOfSession(sessionId),
      sessionId: sessionId ?? '',
      structured: knowsStructuredContent(versionOf(request)),
    };
    request.raw.auth = {
      token: outcome.token,
      clientId: outcome.agent.tokenId,
      scopes: [],
      expiresAt: Math.floor(outcome.agent.expiresAt / 1000),
      extra: caller as unknown as Record<string, unknown>,
    };
    await this.#route(request, reply);
  }

  async #route(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw, body, method } = request;
    const route = classifyInboundRequest({
      httpMethod: method,
      ...optional('protocolVersionHeader', one(request.headers['mcp-protocol-version'])),
      ...optional('mcpMethodHeader', one(request.headers['mcp-method'])),
      ...optional('mcpNameHeader', one(request.headers['mcp-name'])),
      body,
    });
    if (route.kind !== 'legacy') {
      reply.hijack();
      return this.#serveModern(raw as never, reply.raw, body);
    }
    const { replaceServer } = this.#parts;
    if (replaceServer?.claims(raw, body) === true) {
      reply.hijack();
      return replaceServer.serveSession(raw, reply.raw, body);
    }
    if (method !== 'POST') {
      reply.header('allow', 'POST').status(405).send('');
      return;
    }
    reply.hijack();
    const name = nameOfInitialize(body);
    if (name !== undefined) reply.raw.setHeader('mcp-session-id', issueSessionId(kindOfName(name)));
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    reply.raw.on('close', () => void transport.close().catch(this.#parts.onError));
    await this.#build({ era: 'legacy', authInfo: raw.auth! }).connect(transport);
    await transport.handleRequest(raw, reply.raw, body);
  }
}

/** RFC 9728 puts the well-known part before the resource's path. */
const metadataUrlOf = (mcpUrl: string): string => {
  const url = new URL(mcpUrl);
  return `${url.origin}/.well-known/oauth-protected-resource${url.pathname === '/' ? '' : url.pathname}`;
};

/** A list of messages is as much work as its messages one by one. */
const messagesIn = (body: unknown): number => (Array.isArray(body) ? Math.max(1, body.length) : 1);

/** The client's name where the message opens a session. */
const nameOfInitialize = (body: unknown): string | undefined => {
  const message = body as { method?: unknown; params?: { clientInfo?: { name?: unknown } } } | undefined;
  return message?.method === 'initialize' ? String(message.params?.clientInfo?.name ?? '') : undefined;
};

/** Clients of 2025-06-18 and later say it with every request after the first. */
const versionOf = (request: FastifyRequest): string | undefined => one(request.headers['mcp-protocol-version']);

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, string>);
