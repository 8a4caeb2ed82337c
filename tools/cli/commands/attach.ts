/** `attach`: a conversation without a pod and the token of its agent, so that any program can sit in the pod's place (D32). */
import { parseArgs } from 'node:util';
import { CommandError, type Command } from '../command.ts';
import { httpUrl, mintToken, personSubject, requireRunning, revokeToken, withOrchestrator } from '../operator.ts';
import { printJson, printLine } from '../output.ts';

export const command: Command = {
  summary: 'Put a program of your own in the place of an agent pod.',
  usage: 'attach --as NAME [--conversation ID] [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        as: { type: 'string' },
        conversation: { type: 'string', default: '' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (!values.as) throw new CommandError('Say for whom: ./bravo attach --as alice', 2);
    const stack = requireRunning(environment);
    const production = environment['BRAVO_ENV'] === 'production';
    const minted = await mintToken(stack, production, values.as, {
      workspace: values.workspace,
      ttlSeconds: 60,
      label: './bravo attach',
    });
    try {
      const subject = await personSubject(stack, minted);
      const attached = await withOrchestrator(stack, (orchestrator) =>
        orchestrator.attachAgent({ conversationId: values.conversation }, { subject }),
      );
      const result = {
        conversation: attached.conversationId,
        mcp_url: `${httpUrl(stack, 'tool-broker')}/mcp/`,
        model_url: `${httpUrl(stack, 'model-gateway')}/v1`,
        token: attached.token,
        expires_at: attached.expiresAt?.toISOString() ?? null,
      };
      if (values.json) printJson(result);
      else for (const [name, value] of Object.entries(result)) printLine(`${name.padEnd(13)} ${value ?? ''}`);
      return 0;
    } finally {
      await revokeToken(stack, minted.tokenId).catch(() => {});
    }
  },
};
