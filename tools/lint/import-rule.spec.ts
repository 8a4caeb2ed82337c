/** The lint is itself tested: each row of the import table refuses what it must, and lets pass what it must. */
import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
// @ts-expect-error the rule is plain JavaScript, as ESLint loads it
import { directionRule, importRule, lawOf } from './import-rule.mjs';

const linter = new Linter({ cwd: '/repo' });
const lint = (file: string, code: string): string[] =>
  linter
    .verify(
      code,
      [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser as Linter.Parser }, plugins: { bravo: { rules: { 'import-rule': importRule, 'import-direction': directionRule } } }, rules: { 'bravo/import-rule': 'error', 'bravo/import-direction': 'error' } }],
      { filename: `/repo/${file}` },
    )
    .map((message) => message.message);

describe('the import rule', () => {
  it.each([
    ['libs/policy/src/decide.ts', `import { readFileSync } from 'node:fs';`],
    ['libs/policy/src/decide.ts', `import { Fault } from '@bravo/faults';`],
    ['libs/config/src/setting.ts', `import { Fault } from '@bravo/faults';`],
    ['libs/events/src/outbox.ts', `import { connectNatsBus } from './nats/nats-bus.ts';`],
    ['libs/container-runtime/src/container-runtime.port.ts', `import { spawn } from 'node:child_process';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { Injectable } from '@nestjs/common';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { Tool } from '@bravo/proto/broker';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { PrismaClient } from '../generated/prisma/client.ts';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { readFile } from 'node:fs/promises';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { createGrpcClient } from '@bravo/chassis';`],
    ['apps/tool-broker/src/tool-calls/call-tool.mcp.ts', `import { PrismaClient } from '../generated/prisma/client.ts';`],
    ['apps/tool-broker/src/slots/slots.prisma.ts', `import { Controller } from '@nestjs/common';`],
    ['apps/gateway/src/messages/post-message.ts', `import { decide } from '../../../tool-broker/src/tool-calls/call-tool.ts';`],
    ['apps/gateway/src/messages/post-message.ts', `export * from '@bravo/identity/people/people';`],
    ['apps/gateway/src/messages/post-message.http.ts', `const x = await import('@bravo/testing');`],
    ['apps/agent-runtime/src/main.ts', `import { decide } from '@bravo/policy';`],
    ['apps/web/src/app.tsx', `import { Fault } from '@bravo/faults';`],
    ['apps/agent-runtime/src/chats/run-turn.ts', `import { ModelError } from '../loop/call-model.client.ts';`],
    ['apps/agent-runtime/src/loop/run-agent-loop.ts', `import type { CallModel } from './call-model.client.ts';`],
    ['apps/gateway/src/members/members.http.ts', `import type { Members } from './members.client.ts';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { handle } from './call-tool.mcp.ts';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { store } from './tool-call-ledger.prisma.ts';`],
    ['apps/tool-broker/src/tool-calls/call-tool.mcp.ts', `import { store } from './tool-call-ledger.prisma.ts';`],
    ['apps/tool-broker/src/slots/slots.prisma.ts', `import { handler } from './read-slot.grpc.ts';`],
    ['apps/audit/src/trail/record-event.ts', `import { createAudit } from '../audit.module.ts';`],
    ['tools/cli/main.ts', `import { Module } from '@nestjs/common';`],
  ])('refuses in %s: %s', (file, code) => {
    expect(lint(file.replace(/tsx$/, 'ts'), code)).toEqual([expect.stringMatching(/^Import rule: /)]);
  });

  it.each([
    ['libs/policy/src/digest.ts', `import { sha256 } from '@noble/hashes/sha2.js';`],
    ['libs/events/src/nats/nats-bus.ts', `import { connect } from '@nats-io/transport-node';`],
    ['apps/tool-broker/src/tool-calls/call-tool.ts', `import { decide } from '@bravo/policy';\nimport { newId } from '@bravo/chassis/reference';\nimport type { Logger } from '@bravo/chassis';\nimport { x } from './x.ts';`],
    ['apps/tool-broker/src/tool-calls/call-tool.mcp.ts', `import { McpServer } from '@modelcontextprotocol/server';`],
    ['apps/tool-broker/src/slots/slots.prisma.ts', `import { PrismaClient } from '../generated/prisma/client.ts';`],
    ['apps/gateway/src/members/members.http.ts', `import { Serve } from '../routes/serve.http.ts';\nimport type { Members } from './members.ts';`],
    ['apps/tool-broker/src/slots/slots.prisma.ts', `import type { Database } from '../databases/broker-database.prisma.ts';\nimport type { Slot } from './slot.ts';`],
    ['apps/tool-broker/src/main.ts', `import { createBroker } from './broker.module.ts';\nimport { open } from './databases/broker-database.prisma.ts';`],
    ['apps/tool-broker/src/slots/slots.fixture.ts', `import { open } from './slots.prisma.ts';`],
    ['apps/tool-broker/src/tool-broker.module.ts', `import { Module } from '@nestjs/common';\nimport { connectNatsBus } from '@bravo/events/nats';`],
  ])('lets pass in %s: %s', (file, code) => {
    expect(lint(file, code)).toEqual([]);
  });

  it('has a law for every folder that holds code', () => {
    for (const file of ['apps/x/src/a/b.ts', 'libs/policy/src/a.ts', 'libs/chassis/src/a.ts', 'tools/cli/a.ts', 'tests/journeys/a.ts']) expect(lawOf(file)).toBeDefined();
  });
});
