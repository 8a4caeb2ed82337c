/**
 * The server's half of RFC 6455, as little as the other runtime needs: text in and out. Every message leaves in several
 * frames, with a ping between them and in small writes, because a client may rely on none of that not happening.
 */
import { createHash } from 'node:crypto';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];

const frame = (opcode, payload, last) => {
  const head = [(last ? 0x80 : 0) | opcode];
  if (payload.length < 126) head.push(payload.length);
  else if (payload.length < 65_536) head.push(126, payload.length >> 8, payload.length & 255);
  else
    head.push(
      127,
      0,
      0,
      0,
      0,
      (payload.length >>> 24) & 255,
      (payload.length >>> 16) & 255,
      (payload.length >>> 8) & 255,
      payload.length & 255,
    );
  return Buffer.concat([Buffer.from(head), payload]);
};

/** Answers the upgrade and returns `{ send, close }`; `onText` and `onGone` are called as things come. */
export const accept = (request, socket, protocol, onText, onGone) => {
  const key = createHash('sha1')
    .update(request.headers['sec-websocket-key'] + GUID)
    .digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'upgrade: WebSocket',
    'connection: keep-alive, Upgrade',
    `sec-websocket-accept: ${key}`,
  ];
  if (protocol) lines.push(`sec-websocket-protocol: ${protocol}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.setNoDelay(true);
  let rest = Buffer.alloc(0);
  let open = true;
  let said = [];
  const gone = () => {
    if (!open) return;
    open = false;
    onGone();
  };
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let got = read(rest); got; got = read(rest)) {
      rest = rest.subarray(got.size);
      if (got.opcode === CLOSE) {
        if (open) socket.write(frame(CLOSE, got.payload.subarray(0, 2), true));
        socket.end();
        gone();
      } else if (got.opcode === PING) socket.write(frame(PONG, got.payload, true));
      else if (got.opcode !== PONG) {
        said.push(got.payload);
        if (got.last) {
          const text = Buffer.concat(said).toString('utf8');
          said = [];
          onText(text);
        }
      }
    }
  });
  socket.on('close', gone);
  socket.on('error', gone);
  return {
    send(text) {
      if (!open) return;
      const bytes = Buffer.from(text);
      // In the middle of a character, too: only the whole message has to be text.
      const cut = Math.floor(bytes.length / 3);
      socket.write(frame(TEXT, bytes.subarray(0, cut), false));
      socket.write(frame(PING, Buffer.from('?'), true));
      const end = frame(0, bytes.subarray(cut), true);
      socket.write(end.subarray(0, 1));
      socket.write(end.subarray(1));
    },
    close(code) {
      if (!open) return;
      socket.end(frame(CLOSE, Buffer.from([code >> 8, code & 255]), true));
      gone();
    },
  };
};

/** One frame of the client at the beginning of `bytes`, or nothing while it is not whole. */
const read = (bytes) => {
  if (bytes.length < 2) return undefined;
  let length = bytes[1] & 127;
  let at = 2;
  if (length === 126) {
    if (bytes.length < 4) return undefined;
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return undefined;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  const size = at + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, size)).map((byte, index) => byte ^ mask[index % 4]);
  return { opcode: bytes[0] & 15, last: (bytes[0] & 128) !== 0, payload, size };
};
