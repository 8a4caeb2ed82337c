/** `test --runtime-contract`: prints what a runtime has to be configured with, or checks the one at an address. */
import { checkRuntime, contractConfiguration } from '../checks/runtime-contract.ts';
import { CommandError } from './command.ts';
import { printLine } from './output.ts';

/** @returns the exit code. */
export const showRuntimeContract = async (what: string, environment: Readonly<Record<string, string | undefined>>): Promise<number> => {
  if (what === 'config') {
    const { toml, token } = contractConfiguration();
    printLine(`# Start the runtime with this as its config.toml (add gateway.host and gateway.port), then run:`);
    printLine(`#   BRAVO_RUNTIME_TOKEN=${token} ./bravo test --runtime-contract http://<host>:<port>`);
    printLine('# Its model and its tools listen on these two ports of this machine while the suite runs.');
    printLine(toml);
    return 0;
  }
  if (!/^https?:$/.test(URL.parse(what)?.protocol ?? '')) throw new CommandError('--runtime-contract wants the address of a runtime (http://host:port), or the word config.', 2);
  const token = environment['BRAVO_RUNTIME_TOKEN'];
  if (!token) throw new CommandError('BRAVO_RUNTIME_TOKEN is not set: it is the token whose sha256 the runtime has in gateway.paired_tokens. "./bravo test --runtime-contract config" makes one.', 2);
  const { passed, failed } = await checkRuntime(what, token);
  printLine(`runtime contract: ${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};
