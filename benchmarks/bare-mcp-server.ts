/** The reference of the tool call: the MCP SDK alone with one tool that lists a directory; no policy, no record, no caller. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const directory = process.argv[2] ?? '.';
const sessions = new Map<string, StreamableHTTPServerTransport>();

const openSession = async (): Promise<StreamableHTTPServerTransport> => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool(
    'list_files',
    { description: 'Lists files.', inputSchema: { path: z.string().optional() } },
    async () => ({
      content: [{ type: 'text', text: (await readdir(directory)).join('\n') }],
    }),
  );
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
};

const sessionOf = async (request: IncomingMessage): Promise<StreamableHTTPServerTransport> => {
  const id = request.headers['mcp-session-id'];
  return (typeof id === 'string' ? sessions.get(id) : undefined) ?? openSession();
};

const http = createServer((request, response) => {
  void sessionOf(request).then((transport) => transport.handleRequest(request, response));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${(http.address() as AddressInfo).port}\n`));
process.stdin.resume().once('end', () => process.exit());
