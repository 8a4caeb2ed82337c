/** Draws one trace as a waterfall in SVG: the steps as a tree on the left, their time on the right, a colour per process. It shows names, times and codes only, and loads nothing. */
import type { TraceFileSpan } from '@bravo/chassis/trace-file-exporter';
import { duration, type TraceRow, traceTree } from './trace-tree.ts';

const WIDTH = 1240;
const MARGIN = 24;
const HEAD = 112;
const FOOT = 28;
const ROW = 22;
const NAMES = 330;
const APPS = 138;
const TIMES_FROM = MARGIN + NAMES + APPS;
/** Kept free on the right for the duration beside the last bar. */
const TIMES_TO = WIDTH - MARGIN - 70;
const BAR = 12;
const INDENT = 14;

/** Told apart also in grey and by people who see few colours: neighbours on the path differ in lightness. */
const COLOURS: Readonly<Record<string, string>> = {
  gateway: '#4c6ef5',
  'agent-orchestrator': '#f08c00',
  'model-gateway': '#be4bdb',
  automation: '#f08c00',
  'tool-broker': '#0b7285',
  'sandbox-runner': '#e03131',
  identity: '#868e96',
  audit: '#2b8a3e',
};
const OTHER = '#495057';
const FAILED = '#c92a2a';

/** The time of this step is a person's, not the platform's. */
const WAITS_FOR_PERSON = 'request-approval';

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x: number, y: number, words: string, style: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${style}>${escape(words)}</text>`;

/** Round steps, so that a reader counts without a ruler: 1, 2 or 5 times a power of ten, six to twelve of them. */
export const tickMs = (totalMs: number): number => {
  const rough = Math.max(totalMs, 1) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power;
};

/** What a step decided or called, where it says so. */
const remark = ({ name, attributes, error }: TraceFileSpan): string => {
  if (error !== undefined) return `✗ ${error}`;
  const said = attributes['bravo.decision'] ?? attributes['bravo.tool'];
  if (name === WAITS_FOR_PERSON) return 'waits for a person';
  return typeof said === 'string' ? said : '';
};

const colourOf = (app: string): string => COLOURS[app] ?? OTHER;

/** What lies under the lines of the time axis. */
const drawGround = ({ depth }: TraceRow, at: number): string => {
  const top = HEAD + at * ROW;
  const stripe = `<rect x="${MARGIN - 8}" y="${top}" width="${WIDTH - 2 * MARGIN + 16}" height="${ROW}" class="stripe"/>`;
  const guides = Array.from({ length: depth }, (_, level) => MARGIN + level * INDENT + 3);
  return [
    at % 2 === 0 ? stripe : '',
    ...guides.map((x) => `<line x1="${x}" x2="${x}" y1="${top}" y2="${top + ROW}" class="guide"/>`),
  ].join('');
};

const drawRow = ({ span, depth, fromMs }: TraceRow, at: number, scale: number): string => {
  const top = HEAD + at * ROW;
  const line = top + ROW / 2 + 4;
  const x = TIMES_FROM + fromMs * scale;
  const width = Math.max(2, span.duration_ms * scale);
  const said = remark(span);
  const remarked = said === '' ? '' : `<tspan class="said" dx="8">${escape(said)}</tspan>`;
  const fill = span.error !== undefined ? FAILED : span.name === WAITS_FOR_PERSON ? 'url(#waits)' : colourOf(span.app);
  return [
    `<text x="${MARGIN + depth * INDENT}" y="${line}" class="name">${escape(span.name)}${remarked}</text>`,
    `<circle cx="${MARGIN + NAMES + 5}" cy="${top + ROW / 2}" r="4" fill="${colourOf(span.app)}"/>`,
    text(MARGIN + NAMES + 15, line, span.app, 'class="app"'),
    `<rect x="${x.toFixed(1)}" y="${top + (ROW - BAR) / 2}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${fill}"/>`,
    text(Math.min(x + width + 6, WIDTH - MARGIN - 62), line, duration(span.duration_ms), 'class="time"'),
  ].join('');
};

const axis = (totalMs: number, scale: number, bottom: number): string => {
  const step = tickMs(totalMs);
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, at) => {
    const x = TIMES_FROM + at * step * scale;
    const label =
      step >= 1_000 || totalMs >= 2_000
        ? `${((at * step) / 1_000).toFixed(step < 1_000 ? 1 : 0)} s`
        : `${Math.round(at * step)} ms`;
    return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${HEAD - 8}" y2="${bottom}" class="tick"/>${text(x, HEAD - 14, label, 'class="axis"')}`;
  }).join('');
};

const legend = (apps: readonly string[]): string => {
  let x = MARGIN;
  return apps
    .map((app) => {
      const item = `<circle cx="${x + 5}" cy="66" r="5" fill="${colourOf(app)}"/>${text(x + 16, 70, app, 'class="app"')}`;
      x += 34 + app.length * 7.2;
      return item;
    })
    .join('');
};

const STYLE = `text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#212529}
.title{font-size:18px;font-weight:600}.sub{font-size:12px;fill:#495057}.name{font-size:12.5px}.said{font-size:11px;fill:#868e96}
.app{font-size:11.5px;fill:#495057}.time,.axis{font-size:11px;fill:#495057;font-variant-numeric:tabular-nums}.axis{text-anchor:middle}
.stripe{fill:#f4f6f8}.guide{stroke:#dee2e6}.tick{stroke:#ced4da;stroke-dasharray:2 3}`;

export const drawSvg = (spans: readonly TraceFileSpan[], traceId: string): string => {
  const { rows, totalMs, startedAt } = traceTree(spans, traceId);
  const scale = (TIMES_TO - TIMES_FROM) / Math.max(1, totalMs);
  const bottom = HEAD + rows.length * ROW;
  const apps = [...new Set(rows.map(({ span }) => span.app))];
  const title = `${rows[0]?.span.name ?? 'a trace'}: ${rows.length} steps in ${apps.length} processes, ${duration(totalMs)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + FOOT}" viewBox="0 0 ${WIDTH} ${bottom + FOOT}" role="img" aria-label="${escape(title)}">`,
    `<style>${STYLE}</style><defs><pattern id="waits" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#c3e4e8"/><rect width="2.5" height="6" fill="${colourOf('tool-broker')}"/></pattern></defs>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    text(MARGIN, 30, title, 'class="title"'),
    text(MARGIN, 49, `trace ${traceId}, begun ${startedAt}`, 'class="sub"'),
    legend(apps),
    rows.map(drawGround).join('\n'),
    axis(totalMs, scale, bottom),
    rows.map((row, at) => drawRow(row, at, scale)).join('\n'),
    '</svg>\n',
  ].join('\n');
};
