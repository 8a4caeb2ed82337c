/** The picker's rows: models under the heading of the service that answers, narrowed by words; pure. */
import type { Model } from '../api/contract.ts';

export interface ModelGroup {
  readonly service: string;
  readonly label: string;
  readonly models: readonly Model[];
}

/** Every word has to match something of the name shown, the name sent or the service, whatever its case. */
export function groupModels(models: readonly Model[], words: string): ModelGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { service: string; label: string; models: Model[] }>();
  for (const model of models) {
    const text = [model.label, model.id, model.service_label].join('\n').toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const group = groups.get(model.service) ?? { service: model.service, label: model.service_label, models: [] };
    group.models.push(model);
    groups.set(model.service, group);
  }
  return [...groups.values()];
}

/** "131k tokens" and the like; empty where nobody said. */
export function formatWindow(tokens: number | null): string {
  if (tokens === null) return '';
  if (tokens < 1_000) return `${tokens} tokens`;
  if (tokens < 1_000_000) return `${Math.round(tokens / 1_000)}k tokens`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M tokens`;
}
