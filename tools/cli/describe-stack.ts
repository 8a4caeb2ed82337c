/** Says of a running stack what a person has to know before they trust it: whether programs are contained, and which model answers. */
import { readPlan, type Plan } from '../stack/plan.ts';
import { withSandbox, type RunningStack } from './operator.ts';

export const describeModel = (environment: Readonly<Record<string, string>>): string => {
  const provider = environment['BRAVO_MODEL_PROVIDER'] || 'demo';
  if (provider === 'demo') return 'Model: the built-in demo planner, which is no language model (docs/demo-model.md says what it understands).';
  const where = URL.parse(environment['BRAVO_MODEL_BASE_URL'] ?? '')?.host;
  return `Model: ${environment['BRAVO_MODEL_NAME'] ?? ''} (${provider}${where ? ` at ${where}` : ''}).`;
};

export const describeExecution = ({ available, backend, reason, languages }: { available: boolean; backend: string; reason: string; languages: readonly string[] }): string =>
  available
    ? `Code execution: contained (${backend}, no network; ${languages.join(', ')}).`
    : `Code execution: off, nothing runs uncontained. ${reason}`;

const environmentOf = (plan: Plan | undefined, app: string): Readonly<Record<string, string>> =>
  plan?.services.find(({ name }) => name === app)?.spawn.env ?? {};

export const describeStack = async (stack: RunningStack): Promise<string[]> => {
  const execution = await withSandbox(stack, (sandbox) => sandbox.describeSandbox({})).then(describeExecution, (error: unknown) => `Code execution: the sandbox did not answer (${(error as Error).message}).`);
  return [execution, describeModel(environmentOf(readPlan(stack.home), 'model-gateway'))];
};
