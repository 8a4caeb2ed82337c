/** What a grant covers, every value in full with what cannot be seen as a symbol; it must never say less than is granted. */
import { CallArguments } from '../messages/call-arguments.tsx';
import { callTitle } from '../messages/describe-call.ts';
import { coverage } from './describe-grant.ts';

export function ScopeList({ tool, scope }: { tool: string; scope: Record<string, unknown> }) {
  return (
    <div className="space-y-1.5">
      <p className="text-xs text-muted">{coverage(callTitle(tool), Object.keys(scope))}</p>
      <div className="scroll-slim max-h-40 overflow-y-auto">
        <CallArguments input={scope} />
      </div>
    </div>
  );
}
