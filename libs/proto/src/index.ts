/** Contracts between the services: where the .proto files are; the generated code is at `@bravo/proto/<area>`. */
import { fileURLToPath } from 'node:url';

/** Directory that `bravo/**` and `google/**` protos are imported from, for reflection. */
export const protoDirectory = fileURLToPath(new URL('../', import.meta.url));
