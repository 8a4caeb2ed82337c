/** What an admin should know of the settings in force: what is wrong, where, and what holds from which layer; the server tells no value, so the page shows none. */
import { useEffect, useState } from 'react';
import { readDoctor } from '../api/bravo.client.ts';
import type { Diagnosis } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { Notice } from '../ui/notice.tsx';

export function SettingsHealth({ workspace }: { workspace: string }) {
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let gone = false;
    readDoctor(workspace).then(
      (read) => !gone && setDiagnosis(read),
      (error: unknown) => !gone && setProblem(problemText(toProblem(error))),
    );
    return () => {
      gone = true;
    };
  }, [workspace]);

  if (problem !== '') return <Notice>{problem}</Notice>;
  if (!diagnosis) return null;
  const { ok, findings, layers, settings, variables, providers, rules, lists } = diagnosis;
  return (
    <details
      data-testid="doctor"
      data-ok={ok}
      className="rounded-xl border border-border bg-surface px-3.5 py-2.5 text-sm"
    >
      <summary className="cursor-pointer">
        Settings: {ok ? 'everything written is in force' : 'something written is not in force'}
        {findings.length > 0 && ` · ${findings.length === 1 ? '1 remark' : `${findings.length} remarks`}`}
      </summary>
      <ul className="mt-2 space-y-1.5">
        {findings.map((finding, index) => (
          <li key={index} className={finding.severity === 'error' ? 'text-bad' : 'text-muted'} data-testid="finding">
            <span className="font-medium">
              {finding.layer} {revealedText(finding.key)} {finding.rule === '' ? '' : `“${revealedText(finding.rule)}”`}
            </span>{' '}
            {revealedText(finding.text)}
          </li>
        ))}
      </ul>
      <ul className="mt-2 space-y-0.5 border-t border-border pt-2 text-muted">
        {layers.map(({ layer, state }) => (
          <li key={layer}>
            {layer}: {state.replace('_', ' ')}
          </li>
        ))}
        {[...settings, ...variables].map(({ key, layer, overridden }) => (
          <li key={key}>
            {revealedText(key)} from {layer}
            {overridden.length > 0 && `, over ${overridden.join(', ')}`}
          </li>
        ))}
        {providers.map(({ id, layer, host, credential }) => (
          <li key={id}>
            provider {revealedText(id)} from {layer}, to {revealedText(host)}, key: {credential}
          </li>
        ))}
        {rules.map(({ list, layer, count }) => (
          <li key={`${list} ${layer}`}>
            {count} rules that {list}, from {layer}
          </li>
        ))}
        {lists.map(({ key, layer, count }) => (
          <li key={`${key} ${layer}`}>
            {count} of {key}, from {layer}
          </li>
        ))}
      </ul>
    </details>
  );
}
