/** Says that @bravo needs another mode for what it was asked, and lets the person choose; it must never switch or grant by itself. */
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { GRANT_SECONDS } from '../grants/describe-grant.ts';
import { ScopeList } from '../grants/scope-list.tsx';
import { Button } from '../ui/button.tsx';
import { useOpenConversation } from './conversation-context.tsx';
import { modeName } from './mode-switch.tsx';

export function StepUpCard() {
  const { state, changeMode, stayInMode, grantStepUp } = useOpenConversation();
  const { stepUp } = state;
  if (!stepUp) return null;
  const grantable = stepUp.callId === '' ? null : stepUp.grantScope;
  return (
    <section
      aria-labelledby="step-up-title"
      data-testid="step-up"
      className="rounded-xl border border-ask-border bg-surface p-4"
    >
      <h3 id="step-up-title" className="font-medium">
        {modeName(stepUp.requiredMode)} mode is needed
      </h3>
      <p className="mt-1 text-sm text-muted">
        {stepUp.action === '' ? 'What you asked for' : `“${revealedText(stepUp.action)}”`} is not possible in{' '}
        {modeName(stepUp.currentMode)} mode. After switching, ask @bravo again.
      </p>
      {grantable && (
        <div className="mt-3 rounded-lg border border-border px-3 py-2" data-testid="step-up-scope">
          <ScopeList tool={stepUp.action} scope={grantable} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="primary" data-testid="step-up-switch" onClick={() => void changeMode(stepUp.requiredMode)}>
          Switch to {modeName(stepUp.requiredMode)}
        </Button>
        {grantable && (
          <Button look="accent" data-testid="step-up-grant" onClick={() => void grantStepUp(stepUp.callId)}>
            Allow only this for {GRANT_SECONDS / 60} minutes
          </Button>
        )}
        <Button data-testid="step-up-stay" onClick={stayInMode}>
          Stay in {modeName(stepUp.currentMode)}
        </Button>
      </div>
    </section>
  );
}
