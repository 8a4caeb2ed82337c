/** Dashboards and alerts ask for metrics that processes expose, and each alert has a runbook that is there. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { checkout } from '../stack/checkout.ts';

const read = (file: string): string => readFileSync(path.join(checkout, file), 'utf8');
const folder = path.join('deploy', 'monitoring');
const files = (pattern: string): string[] => globSync(path.join(folder, pattern), { cwd: checkout }).sort();

const EXPOSED = new Set(
  globSync(['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: checkout })
    .filter((file) => !/\.(spec|fixture|contract)\.ts$/.test(file) && !file.includes('generated'))
    .flatMap((file) => [...read(file).matchAll(/'(bravo_[a-z0-9_]+)'/g)].map(([, name = '']) => name)),
);
/** Of a histogram there are three. */
const metricsOf = (expr: string): string[] =>
  [...expr.matchAll(/\bbravo_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: { readonly expr: string }[];
  readonly panels?: Panel[];
}
const flat = (panels: readonly Panel[]): Panel[] => panels.flatMap((panel) => [panel, ...flat(panel.panels ?? [])]);
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: Panel[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const dashboards = files('*-dashboard.json').map((file) => ({ file, board: JSON.parse(read(file)) as Dashboard }));
const rules = files('*-alerts.yaml').flatMap((file) =>
  (parse(read(file)) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules: found }) => found),
);

describe('monitoring', () => {
  it('has dashboards of their own names, and in each panel something that is asked for', () => {
    expect(dashboards.length).toBeGreaterThanOrEqual(3);
    expect(new Set(dashboards.map(({ board }) => board.uid)).size).toBe(dashboards.length);
    for (const { board } of dashboards)
      for (const { title, type, targets = [] } of flat(board.panels))
        expect({ title, asks: type === 'row' || targets.length > 0 }).toEqual({ title, asks: true });
  });

  it('asks only for metrics that a process exposes', () => {
    const asked = [
      ...dashboards.flatMap(({ board }) =>
        flat(board.panels).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ),
      ...rules.map(({ expr }) => expr),
    ];
    const strange = asked.filter(
      (expr) => metricsOf(expr).length === 0 || metricsOf(expr).some((name) => !EXPOSED.has(name)),
    );
    expect(strange).toEqual([]);
  });

  it('has a runbook for each alert, at a heading that is there', () => {
    for (const { alert, annotations } of rules) {
      const [file = '', anchor = ''] = annotations.runbook.split('#');
      const headings = read(file)
        .split('\n')
        .filter((line) => line.startsWith('## '))
        .map((line) => line.slice(3).trim().toLowerCase().replaceAll(' ', '-'));
      expect({ alert, found: headings.includes(anchor) }).toEqual({ alert, found: true });
    }
  });

  it('tells of lag, gaps, signing, logs that do not verify, and deliveries', () => {
    const told = rules.map(({ expr }) => expr).join('\n');
    for (const part of [
      'bravo_consumer_lag_messages',
      'bravo_outbox_lag_seconds',
      'kind="gap"',
      'kind="signing"',
      'kind="verify"',
      'bravo_audit_delivery_lag_seconds',
      'bravo_audit_delivery_failing_seconds',
      'bravo_audit_sink_failing_seconds',
    ])
      expect(told).toContain(part);
  });
});
