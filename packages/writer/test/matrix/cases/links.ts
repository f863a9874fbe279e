import type { FileBuilder } from "../../../src/index.ts";
import type { Json } from "../expected.ts";
import type { Expect, MatrixCase, MatrixCases } from "../matrix-case.ts";

const DENSE_FROM = 9;

/** A group of soft links, with as many as that no list of them is expected. */
function many(count: number, rest: Omit<MatrixCase, "build"> = {}): MatrixCase {
  return {
    ...rest,
    build(file, expect) {
      const group = file.group("/group");
      for (let i = 0; i < count; i++) group.softLink(`link ${i}`, "/nowhere");
      const links = count > 1000 ? {} : { links: linksOf(count) };
      expect("/group", {
        ...links,
        group_storage: count < DENSE_FROM ? "compact" : "dense",
        facts: { link_names: count },
      });
    },
  };
}

function linksOf(count: number): Record<string, Json> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`link ${i}`, { type: "soft", target: "/nowhere" }]),
  );
}

export const links: MatrixCases = {
  kinds(file, expect, { style }) {
    file.group("/a/b/c");
    file.dataset("/a/data", Uint8Array.of(1));
    file.softLink("/soft", "/a/data").softLink("/dangling", "nowhere/../at all").hardLink("/hard", "/a/data");
    file.group("/a").softLink("relative", "b/c").hardLink("up", "/");
    if (style !== "earliest") file.externalLink("/external", "other.h5", "/some/where");
    expect("/", {
      links: {
        a: { type: "hard" },
        soft: { type: "soft", target: "/a/data" },
        dangling: { type: "soft", target: "nowhere/../at all" },
        hard: { type: "hard" },
        ...(style !== "earliest" && { external: { type: "external", file: "other.h5", target: "/some/where" } }),
      },
      facts: { link_count: 2 },
    });
    expect("/a", { links: { b: { type: "hard" }, relative: { type: "soft", target: "b/c" }, up: { type: "hard" } } });
    expect("/a/data", { facts: { link_count: 2 } });
    expect("/hard", { facts: { link_count: 2 } });
  },

  names: {
    build(file, expect) {
      const names = ["ünïcödé", "with space", "日本語", "__proto__", "a".repeat(300), "\u{1f600}", "...", "x\ny"];
      for (const name of names) file.dataset(name, Uint8Array.of(name.length % 256));
      for (const name of names) expect(`/${name}`, { data: [name.length % 256] });
      expect("/", { links: Object.fromEntries(names.map((name) => [name, { type: "hard" }])) });
    },
  },

  longNames: {
    untold: true,
    build(file, expect) {
      const names = ["n".repeat(5000), "m".repeat(60_000), "k".repeat(65_000)];
      const group = file.group("/group");
      for (const name of names) group.softLink(name, "/");
      group.softLink("target", "t".repeat(60_000));
      expect("/group", { facts: { link_names: 4 } });
    },
  },

  mixedDense(file, expect, { style }) {
    const group = file.group("/group");
    const found: Record<string, Json> = {};
    for (let i = 0; i < 200; i++) {
      const name = `${i % 3 === 0 ? "ö" : "n"}${i}`;
      if (i % 3 === 0) group.dataset(name, Int32Array.of(i));
      else if (i % 3 === 1) group.softLink(name, `/nowhere/ö${i - 1}`);
      else if (style === "earliest") group.group(name);
      else group.externalLink(name, `file ${i}.h5`, `/${"x".repeat(i * 3)}`);
      found[name] =
        i % 3 === 1
          ? { type: "soft", target: `/nowhere/ö${i - 1}` }
          : i % 3 === 0 || style === "earliest"
            ? { type: "hard" }
            : { type: "external", file: `file ${i}.h5`, target: `/${"x".repeat(i * 3)}` };
      if (i % 3 === 0) expect(`/group/${name}`, { data: [i] });
    }
    expect("/group", { links: found, group_storage: "dense" });
  },

  creationOrder: {
    styles: ["plain", "shared"],
    build(file, expect) {
      for (const count of [0, 3, 8, 9, 300]) {
        const group = file.group(`/ordered${count}`, { trackOrder: true });
        const names = Array.from({ length: count }, (_, i) => `${(i * 7919) % 1000} ${i}`);
        for (const [i, name] of names.entries()) group.dataset(name, i);
        expect(`/ordered${count}`, { creation_order: names, group_storage: count > 8 ? "dense" : "compact" });
      }
    },
  },

  deep(file, expect) {
    const path = "/deep".repeat(60);
    file.dataset(`${path}/data`, Uint8Array.of(7));
    expect(`${path}/data`, { data: [7] });
  },

  tree(file, expect) {
    for (let i = 0; i < 30; i++) {
      for (let j = 0; j < 30; j++) putLeaf(file, expect, `/g${i}/h${j}`, i * 30 + j);
    }
  },

  none: many(0),
  eight: many(8),
  nine: many(9),
  thousand: many(1000),
  most16Bits: many(65_535, { styles: ["plain"], large: true }),
  more: many(70_000, { styles: ["earliest", "shared"], large: true }),
  million: many(1_000_000, { styles: ["plain", "earliest"], slow: true }),
};

function putLeaf(file: FileBuilder, expect: Expect, path: string, value: number): void {
  file.dataset(path, value, { dtype: "uint16" });
  expect(path, { shape: [], data: [value] });
}
