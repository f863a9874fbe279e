import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** One request as the server saw it. */
export interface Seen {
  readonly method: string | undefined;
  readonly range: string | undefined;
  readonly headers: IncomingMessage["headers"];
}

export interface RangeServer {
  readonly url: string;
  /** Requests so far, in order. */
  readonly seen: Seen[];
  /** What answers; may be changed between requests. */
  handler: Handler;
  close(): Promise<void>;
}

/** A server on this machine that remembers what it was asked for. */
export async function rangeServer(handler: Handler): Promise<RangeServer> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    seen.push({ method: request.method, range: request.headers.range, headers: request.headers });
    started.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const started: RangeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.h5?key=secret`,
    seen,
    handler,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return started;
}

/** Answers ranges of `bytes` as RFC 9110 has it. */
export function serveRanges(bytes: Uint8Array, headers: Record<string, string> = { ETag: '"one"' }): Handler {
  return (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")!.map(Number);
    if (first! >= bytes.length) {
      response.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
      return;
    }
    const part = bytes.subarray(first!, last! + 1);
    const range = `bytes ${first}-${first! + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { ...headers, "Content-Range": range, "Content-Length": part.length }).end(part);
  };
}

/** Answers everything with the whole of `bytes`. */
export function serveWhole(bytes: Uint8Array, headers: Record<string, string> = { ETag: '"one"' }): Handler {
  return (_, response) => {
    response.writeHead(200, { ...headers, "Content-Length": bytes.length }).end(bytes);
  };
}

/** Answers one way, whatever was asked. */
export function serveAs(status: number, headers: Record<string, string | number>, body?: Uint8Array): Handler {
  return (_, response) => {
    response.writeHead(status, headers).end(body);
  };
}
