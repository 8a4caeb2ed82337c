/** RunExecution on the wire: the request is checked before anything starts, and each event becomes one message. */
import type { Handlers } from '@bravo/chassis';
import type { Finished, RunExecutionResponse, SandboxServiceService } from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import { checkExecutionRequest } from './check-execution-request.ts';
import type { ExecutionEvent, ExecutionResult } from './execution.ts';
import type { Executions } from './run-execution.ts';

export const runExecutionHandler = (
  executions: Executions,
): Pick<Handlers<typeof SandboxServiceService>, 'runExecution'> => ({
  async *runExecution({ executionId, conversationId, language, code, files, env, limits }, { principal }) {
    const request = checkExecutionRequest({
      workspaceId: callerWorkspace(principal),
      executionId,
      conversationId,
      language,
      code,
      files,
      env,
      limits: limits ?? { timeoutSeconds: 0, memoryMb: 0, cpu: 0 },
    });
    // The caller going away ends this stream and not the program: asked again, it gets the same result.
    for await (const event of executions.run(request)) yield { event: toWire(event) };
  },
});

const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const toWire = (event: ExecutionEvent): NonNullable<RunExecutionResponse['event']> => {
  switch (event.kind) {
    case 'started': {
      const { limits, notices, replayed } = event;
      return { $case: 'started', started: { limits, notices: [...notices], replayed } };
    }
    case 'stdout':
      return { $case: 'stdout', stdout: buffer(event.chunk) };
    case 'stderr':
      return { $case: 'stderr', stderr: buffer(event.chunk) };
    case 'finished':
      return { $case: 'finished', finished: finishedToWire(event.result) };
  }
};

const finishedToWire = (result: ExecutionResult): Finished => ({
  ...result,
  files: result.files.map(({ path, content, mode }) => ({ path, content: buffer(content), mode })),
  skipped: result.skipped.map(({ path, reason }) => ({ path, reason })),
});
