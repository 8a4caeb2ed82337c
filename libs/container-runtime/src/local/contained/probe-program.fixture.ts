/** A program in the pod's place that tries what it is asked to over HTTP and answers what it got; for specs and journeys. */

export type Probed = { readonly got: unknown } | { readonly error: string };

/** Serves `/?<JSON of one attempt>` where the pod would serve; source of a Node program, because it runs inside. */
export const PROBE_PROGRAM = `
const fs = require('node:fs'), net = require('node:net'), http = require('node:http'), dns = require('node:dns'), { spawn } = require('node:child_process');
const attempts = {
  connect: ([host, port]) => new Promise((resolve, reject) => net.connect({ host, port, timeout: 3000 }).once('connect', () => resolve('connected')).once('timeout', () => reject(new Error('timeout'))).once('error', reject)),
  fetch: async (url) => (await fetch(url)).text(),
  lookup: (name) => dns.promises.lookup(name),
  read: (file) => fs.readFileSync(file, 'latin1').slice(0, 80),
  list: (directory) => fs.readdirSync(directory),
  write: (file) => fs.writeFileSync(file, 'x'),
  append: (file) => fs.appendFileSync(file, 'x'),
  run: (program) => new Promise((resolve, reject) => spawn(program, ['-c', 'id'], { stdio: 'ignore' }).once('error', reject).once('exit', resolve)),
  kill: (pid) => process.kill(pid, 'SIGKILL'),
  pids: () => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)),
  interfaces: () => fs.readFileSync('/proc/net/dev', 'utf8').match(/^ *[a-z0-9]+(?=:)/gm).map((name) => name.trim()),
};
http.createServer(async (request, response) => {
  const [[attempt, value]] = Object.entries(JSON.parse(decodeURIComponent(request.url.slice(2))));
  try {
    response.end(JSON.stringify({ got: (await attempts[attempt](value)) ?? null }));
  } catch (error) {
    response.end(JSON.stringify({ error: error.code ?? error.message }));
  }
}).listen(Number(process.env.LISTEN_PORT), process.env.LISTEN_HOST);
`;
