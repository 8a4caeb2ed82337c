/** A name server on a loopback UDP port for tests: answers what it is told to, a moment later something else if it is told so. */
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export interface TestNameServer {
  /** host:port */
  readonly address: string;
  /** Names that were asked for, in order, once for each kind of record. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Addresses of a name by how often it was asked before; undefined: there is no such name; 'silence': no answer ever comes. */
export type Answers = (name: string, before: number) => readonly string[] | 'silence' | undefined;

const A = 1;
const AAAA = 28;

export const startTestNameServer = async (answers: Answers): Promise<TestNameServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const before = asked.filter((entry) => entry === `${name} ${type}`).length;
    asked.push(`${name} ${type}`);
    const found = answers(name, before);
    if (found === 'silence') return;
    const records = (found ?? []).filter((address) => (isIPv4(address) ? type === A : type === AAAA)).map(toRecord);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
};

const readQuestion = (query: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

/** Points back at the question's name; lives for no second. */
const toRecord = (address: string): Buffer => {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : v6Bytes(address);
  const head = Buffer.from([0xc0, 12, 0, data.length === 4 ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
};

const v6Bytes = (address: string): Buffer => {
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = '', right] = plain.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(left), groups(right ?? '')];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
};
