/** Starts the toolbox of one conversation: it sees that conversation's files and nothing else, and answers on the one socket it was given. */
import { Volume } from './files/volume.ts';
import { serveTools } from './tools/tools.http.ts';

// The least trusted of our programs: it imports neither the configuration nor the chassis, and reads its three settings here.
// eslint-disable-next-line bravo/no-environment -- the reason is the line above
const { TOOLBOX_VOLUME = '', TOOLBOX_SOCKET = '', TOOLBOX_HOST = '127.0.0.1', TOOLBOX_PORT = '' } = process.env;

const fail = (message: string): never => {
  process.stderr.write(`toolbox: ${message}\n`);
  process.exit(1);
};

if (TOOLBOX_VOLUME === '') fail('TOOLBOX_VOLUME names no directory.');
const server = serveTools(await Volume.open(TOOLBOX_VOLUME));
server.on('error', (error) => fail(`cannot listen: ${error.message}.`));
if (TOOLBOX_SOCKET === '') server.listen(Number(TOOLBOX_PORT), TOOLBOX_HOST);
else server.listen(TOOLBOX_SOCKET);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
