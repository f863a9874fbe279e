import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpFetch, httpSource } from "../../src/source/http.ts";
import { patternBytes } from "../bytes.ts";
import { deferred } from "../deferred.ts";
import { type Handler, type RangeServer, rangeServer, serveAs, serveRanges, serveWhole } from "./range-server.ts";

const bytes = patternBytes(10000);
let server: RangeServer;
const serve = async (handler: Handler): Promise<RangeServer> => {
  server = await rangeServer(handler);
  return server;
};
afterEach(() => server?.close());

const ranges = (): (string | undefined)[] => server.seen.map(({ range }) => range);
const failure = (message: string, status?: number) =>
  expect.objectContaining({ code: "SOURCE", status, message: expect.stringContaining(message) });

describe("httpSource over a server of ranges", () => {
  it("asks for exactly the range, by GET alone, and learns the length", async () => {
    const { url } = await serve(serveRanges(bytes));
    const source = httpSource(url, { headers: { "X-Key": "k" } });
    expect(source.byteLength).toBeUndefined();
    expect(await source.slice(100, 200)).toEqual(bytes.subarray(100, 200));
    expect(source.byteLength).toBe(10000);
    expect(await source.slice(0, 1)).toEqual(bytes.subarray(0, 1));
    expect(ranges()).toEqual(["bytes=100-199", "bytes=0-0"]);
    expect(server.seen.map(({ method, headers }) => [method, headers["x-key"]])).toEqual([
      ["GET", "k"],
      ["GET", "k"],
    ]);
  });

  it("goes through a fetch of the caller's, which is told to pass by the cache", async () => {
    const { url } = await serve(serveRanges(bytes));
    const asked: [url: string, cache: string][] = [];
    const source = httpSource(url, {
      fetch: (input, init) => {
        asked.push([input, init.cache]);
        return fetch(input, { ...init, headers: { ...init.headers, "X-Token": "t" } });
      },
    });
    expect(await source.slice(0, 4)).toEqual(bytes.subarray(0, 4));
    expect(asked).toEqual([[url, "no-store"]]);
    expect(server.seen[0]!.headers).toMatchObject({ "x-token": "t", range: "bytes=0-3" });
  });

  it("takes a URL object", async () => {
    const { url } = await serve(serveRanges(bytes));
    expect(await httpSource(new URL(url)).slice(0, 4)).toEqual(bytes.subarray(0, 4));
  });

  it("is cut at the end, which it does not ask beyond once it knows it", async () => {
    const { url } = await serve(serveRanges(bytes));
    const source = httpSource(url);
    expect(await source.slice(9990, 20000)).toEqual(bytes.subarray(9990));
    expect(await source.slice(9900, 20000)).toEqual(bytes.subarray(9900));
    expect(await source.slice(10000, 20000)).toHaveLength(0);
    expect(source.peek!(10000, 20000)).toHaveLength(0);
    expect(source.peek!(5, 5)).toHaveLength(0);
    expect(source.peek!(0, 1)).toBeUndefined();
    expect(ranges()).toEqual(["bytes=9990-19999", "bytes=9900-9999"]);
  });

  it("takes 416 as past the end", async () => {
    const { url } = await serve(serveRanges(bytes));
    const source = httpSource(url);
    expect(await source.slice(10000, 10001)).toHaveLength(0);
    expect(source.byteLength).toBe(10000);
    expect(await httpSource(url).slice(2 ** 52, 2 ** 53 - 1)).toHaveLength(0);
    server.handler = serveAs(416, {});
    expect(await httpSource(url).slice(10, 20)).toHaveLength(0);
  });

  it("refuses 416 for bytes that are there", async () => {
    const { url } = await serve(serveAs(416, { "Content-Range": "bytes */10000" }));
    await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure("expected bytes from 10 of 10000", 416));
  });

  it("sends the first request alone, the others in parallel", async () => {
    const { url } = await serve(serveRanges(bytes));
    const source = httpSource(url);
    const starts = [0, 1000, 2000, 3000];
    const held = deferred<void>();
    let open = 0;
    server.handler = async (request, response) => {
      if (server.seen.length > 1 && ++open === 3) held.resolve();
      if (server.seen.length > 1) await held.promise;
      serveRanges(bytes)(request, response);
    };
    const answers = await Promise.all(starts.map((start) => source.slice(start, start + 10)));
    expect(answers).toEqual(starts.map((start) => bytes.subarray(start, start + 10)));
    expect(ranges()[0]).toBe("bytes=0-9");
    expect(ranges()).toHaveLength(4);
  });

  it("trusts a part without Content-Range, as browsers hide it, but for its size", async () => {
    const part = (body: Uint8Array): Handler => serveAs(206, { "Content-Length": body.length }, body);
    const { url } = await serve(part(bytes.subarray(10, 20)));
    expect(await httpSource(url).slice(10, 20)).toEqual(bytes.subarray(10, 20));
    const source = httpSource(url);
    expect(await source.slice(10, 30)).toEqual(bytes.subarray(10, 20));
    expect(source.byteLength).toBe(20);
    await expect(httpSource(url).slice(10, 15)).rejects.toEqual(failure("expected 5 bytes of body, got 10", 206));
    server.handler = part(new Uint8Array(0));
    await expect(httpSource(url).slice(10, 15)).rejects.toEqual(failure("expected 1 bytes of body, got 0", 206));
  });

  it("takes a total that the server does not know", async () => {
    const { url } = await serve(serveAs(206, { "Content-Range": "bytes 10-19/*" }, bytes.subarray(10, 20)));
    const source = httpSource(url);
    expect(await source.slice(10, 20)).toEqual(bytes.subarray(10, 20));
    expect(source.byteLength).toBeUndefined();
  });

  it.each(["bytes 0-9/10000", "bytes 10-18/10000", "bytes 10-20/10000", "bytes 10-19/15", "bytes */10000"])(
    "refuses the part %s for bytes 10 to 19",
    async (range) => {
      const { url } = await serve(serveAs(206, { "Content-Range": range }, bytes.subarray(10, 20)));
      await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure(`expected bytes 10-19, got ${range}`, 206));
    },
  );

  it("refuses a Content-Range it cannot read", async () => {
    const { url } = await serve(serveAs(206, { "Content-Range": "lines 1-2/3" }, bytes.subarray(10, 20)));
    await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure('got "lines 1-2/3"', 206));
  });

  it("refuses a body of another length than its Content-Range", async () => {
    const range = { "Content-Range": "bytes 10-19/10000" };
    const { url } = await serve(serveAs(206, range, bytes.subarray(10, 19)));
    await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure("expected 10 bytes of body, got 9", 206));
    server.handler = serveAs(206, range, bytes.subarray(10, 30));
    await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure("expected 10 bytes of body, got 20", 206));
  });

  it("refuses a part of an encoded body", async () => {
    const body = gzipSync(bytes).subarray(10, 20);
    const { url } = await serve(
      serveAs(206, { "Content-Range": "bytes 10-19/10000", "Content-Encoding": "gzip" }, body),
    );
    await expect(httpSource(url).slice(10, 20)).rejects.toEqual(failure("a part of a gzip body", 206));
  });
});

describe("httpSource over a server without ranges", () => {
  it("keeps the whole body and asks no more", async () => {
    const { url } = await serve(serveWhole(bytes));
    const source = httpSource(url);
    expect(source.peek!(0, 10)).toBeUndefined();
    expect(await source.slice(100, 200)).toEqual(bytes.subarray(100, 200));
    expect(source.byteLength).toBe(10000);
    expect(await source.slice(9990, 20000)).toEqual(bytes.subarray(9990));
    expect(source.peek!(0, 20000)).toEqual(bytes);
    expect(source.peek!(20000, 30000)).toHaveLength(0);
    expect(ranges()).toEqual(["bytes=100-199"]);
  });

  it("asks once for slices begun together", async () => {
    const { url } = await serve(serveWhole(bytes));
    const source = httpSource(url);
    const starts = [0, 1000, 2000];
    const answers = await Promise.all(starts.map((start) => source.slice(start, start + 10)));
    expect(answers).toEqual(starts.map((start) => bytes.subarray(start, start + 10)));
    expect(ranges()).toEqual(["bytes=0-9"]);
  });

  it("takes an encoded body, which the platform decodes", async () => {
    const body = gzipSync(bytes);
    const { url } = await serve(serveAs(200, { "Content-Encoding": "gzip", "Content-Length": body.length }, body));
    expect(await httpSource(url).slice(0, 20000)).toEqual(bytes);
  });

  it("takes an empty file", async () => {
    const { url } = await serve(serveWhole(new Uint8Array(0)));
    const source = httpSource(url);
    expect(await source.slice(0, 10)).toHaveLength(0);
    expect(source.byteLength).toBe(0);
  });

  it("refuses a body cut short by the connection", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(bytes.subarray(0, 100), () => response.destroy());
    });
    const source = httpSource(url);
    await expect(source.slice(0, 10)).rejects.toMatchObject({ code: "SOURCE", cause: expect.any(Error) });
    server.handler = serveWhole(bytes);
    expect(await source.slice(0, 10)).toEqual(bytes.subarray(0, 10));
  });

  it("refuses a body shorter than its Content-Length", async () => {
    const headers = new Map([["content-length", "100"]]);
    const fetch: HttpFetch = async () => ({
      status: 200,
      headers: { get: (name) => headers.get(name) ?? null },
      arrayBuffer: async () => new ArrayBuffer(99),
    });
    await expect(httpSource("http://host/", { fetch }).slice(0, 10)).rejects.toEqual(
      failure("expected 100 bytes of body, got 99", 200),
    );
  });
});

describe("httpSource over a changing file", () => {
  it.each([
    ["ETag", { ETag: '"one"' }, { ETag: '"two"' }],
    [
      "Last-Modified",
      { "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT" },
      { "Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT" },
    ],
  ] as [string, Record<string, string>, Record<string, string>][])("refuses a changed %s", async (name, was, is) => {
    const { url } = await serve(serveRanges(bytes, was));
    const source = httpSource(url);
    await source.slice(0, 10);
    server.handler = serveRanges(bytes, is);
    const changed = failure(`the file has changed: expected ${name} ${was[name]}, got ${is[name]}`, 206);
    await expect(source.slice(10, 20)).rejects.toEqual(changed);
    await expect(source.slice(20, 30)).rejects.toEqual(changed);
    server.handler = serveWhole(bytes, is);
    await expect(source.slice(30, 40)).rejects.toMatchObject({ code: "SOURCE", status: 200 });
  });

  it("goes by the ETag where there is one, and by nothing where a header is missing", async () => {
    const { url } = await serve(
      serveRanges(bytes, { ETag: '"one"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT" }),
    );
    const source = httpSource(url);
    await source.slice(0, 10);
    server.handler = serveRanges(bytes, { ETag: '"one"', "Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT" });
    expect(await source.slice(10, 20)).toHaveLength(10);
    server.handler = serveRanges(bytes, {});
    expect(await source.slice(20, 30)).toHaveLength(10);
  });

  it("refuses a changed length", async () => {
    const { url } = await serve(serveRanges(bytes, {}));
    const source = httpSource(url);
    await source.slice(0, 10);
    server.handler = serveRanges(bytes.subarray(0, 9000), {});
    await expect(source.slice(10, 20)).rejects.toEqual(failure("expected length 10000, got 9000", 206));
    await expect(source.slice(9500, 9600)).rejects.toMatchObject({ code: "SOURCE", status: 416 });
  });
});

describe("httpSource failures", () => {
  it.each([204, 301, 400, 401, 403, 404, 412, 429, 500, 503])(
    "give status %i, and are not remembered",
    async (status) => {
      const { url } = await serve(serveAs(status, {}));
      const source = httpSource(url);
      await expect(source.slice(0, 10)).rejects.toEqual(failure(`expected status 206, got ${status}`, status));
      server.handler = serveRanges(bytes);
      expect(await source.slice(0, 10)).toEqual(bytes.subarray(0, 10));
    },
  );

  it("name the URL without its query", async () => {
    const { url } = await serve(serveAs(404, {}));
    const [outcome] = await Promise.allSettled([httpSource(url).slice(0, 10)]);
    const { message } = (outcome as PromiseRejectedResult).reason as Error;
    expect(message).toContain("/file.h5:");
    expect(message).not.toContain("secret");
  });

  it("have the network's error as their cause", async () => {
    const cause = new TypeError("fetch failed");
    const fetch: HttpFetch = () => Promise.reject(cause);
    await expect(httpSource("http://host/", { fetch }).slice(5, 10)).rejects.toMatchObject({
      code: "SOURCE",
      status: undefined,
      cause,
      message: "http://host/: reading bytes [5, 10) failed: fetch failed",
    });
  });

  it("are shared by slices that waited for the first answer, and leave no connection open", async () => {
    let cancelled = 0;
    const fetch: HttpFetch = async () => ({
      status: 404,
      headers: { get: () => null },
      body: { cancel: async () => void cancelled++ },
      arrayBuffer: () => expect.unreachable(),
    });
    const source = httpSource("http://host/", { fetch });
    const all = await Promise.allSettled([source.slice(0, 10), source.slice(10, 20)]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(cancelled).toBe(1);
  });
});

describe("httpSource and aborts", () => {
  it("refuses to begin", async () => {
    const { url } = await serve(serveRanges(bytes));
    const slice = httpSource(url).slice(0, 10, { signal: AbortSignal.abort("reason") });
    await expect(slice).rejects.toBe("reason");
    expect(ranges()).toEqual([]);
  });

  it("ends the request with the signal's reason, the first and later ones", async () => {
    const { url } = await serve(serveRanges(bytes));
    const source = httpSource(url);
    for (const start of [0, 10]) {
      const asked = deferred<void>();
      const gone = deferred<void>();
      server.handler = (request) => {
        request.socket.on("close", () => gone.resolve());
        asked.resolve();
      };
      const controller = new AbortController();
      const slice = source.slice(start, start + 10, { signal: controller.signal });
      await asked.promise;
      controller.abort("reason");
      await expect(slice).rejects.toBe("reason");
      await gone.promise;
      server.handler = serveRanges(bytes);
      expect(await source.slice(start, start + 10)).toEqual(bytes.subarray(start, start + 10));
    }
  });

  it("of one slice do not end another that waits for the same answer", async () => {
    const { url } = await serve(serveWhole(bytes));
    const asked = deferred<void>();
    const answer = deferred<void>();
    server.handler = async (request, response) => {
      asked.resolve();
      await answer.promise;
      serveWhole(bytes)(request, response);
    };
    const source = httpSource(url);
    const controller = new AbortController();
    const first = source.slice(0, 10, { signal: controller.signal });
    const second = source.slice(10, 20);
    await asked.promise;
    controller.abort("reason");
    await expect(first).rejects.toBe("reason");
    answer.resolve();
    expect(await second).toEqual(bytes.subarray(10, 20));
    expect(ranges()).toEqual(["bytes=0-9"]);
  });

  it("are prompt though fetch ignores its signal", async () => {
    const controller = new AbortController();
    const source = httpSource("http://host/", { fetch: () => new Promise(() => {}) });
    const slice = source.slice(0, 10, { signal: controller.signal });
    controller.abort("reason");
    await expect(slice).rejects.toBe("reason");
  });
});
