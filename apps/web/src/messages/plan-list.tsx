/** A compiled command line, step by step, as it runs: the file that is started, each word by itself, every redirection in full; nothing is shortened. */
import type { Plan, StepEnd } from '../api/contract.ts';
import { HiddenText } from './hidden-text.tsx';
import { CONNECTOR_WORDS, tellStepEnd, tellRedirect } from './tell-plan.ts';

export function PlanList({ plan, ends = [] }: { plan: Plan; ends?: StepEnd[] }) {
  return (
    <ol className="space-y-1.5" data-testid="plan">
      {plan.steps.map((step, at) => {
        const end = ends[at];
        const connector = at === 0 ? undefined : plan.connectors[at - 1];
        return (
          <li key={at} className="rounded-lg bg-sunken px-3 py-2 text-sm" data-testid="plan-step">
            {connector !== undefined && <p className="text-xs text-muted">{CONNECTOR_WORDS[connector] ?? connector}</p>}
            <p className="exact">
              {Object.entries(step.env).map(([name, value]) => (
                <span key={name} className="mr-1.5 text-ask">
                  <HiddenText text={`${name}=${value}`} />
                </span>
              ))}
              {step.argv.map((word, index) => (
                <span key={index} className={`mr-1.5 rounded px-1 ${index === 0 ? 'font-semibold' : 'bg-surface'}`}>
                  {word === '' ? <span className="text-muted">empty</span> : <HiddenText text={word} />}
                </span>
              ))}
            </p>
            {step.redirects.map((redirect, index) => (
              <p key={index} className="text-xs">
                <span className="text-muted">{tellRedirect(redirect.op)} </span>
                <span className="exact">
                  <HiddenText text={redirect.path} />
                </span>
              </p>
            ))}
            <p className="flex items-baseline justify-between gap-3 text-xs text-muted">
              <span className="exact">
                <HiddenText text={step.program} />
              </span>
              {end && (
                <span data-testid="step-end" className={end.ran && end.exit_code === 0 ? 'text-good' : 'text-bad'}>
                  {tellStepEnd(end)}
                </span>
              )}
            </p>
          </li>
        );
      })}
      {plan.reads && <li className="text-xs text-muted">Only reads the files it names.</li>}
    </ol>
  );
}
