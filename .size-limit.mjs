// What a page downloads for one import of a published package: bundled from dist, minified, compressed by gzip; kB are 1000
// bytes. First comes what is loaded before anything runs, then that with all that is loaded where it is first needed: what
// a bundle in a single file has.
const LIMITS = [
  ["packages/reader/dist/core.js", "open", 25, 75],
  ["packages/reader/dist/index.js", "open", 41, 92],
  ["packages/resolver/dist/index.js", "openResolved", 42.5, 93.5],
  ["packages/writer/dist/index.js", "createFile, shuffle, deflate", 26, 64],
  ["packages/datatypes/dist/index.js", "decodeDatatype", 5, 5],
  ["packages/framing/dist/index.js", "locateSuperblock", 3.3, 3.3],
  ["examples/custom-reader/list-groups.ts", "openFile, listGroup", 10, 16],
];

const leaveOutDynamicImports = {
  name: "leave out dynamic imports",
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

export default LIMITS.flatMap(([path, members, first, whole]) =>
  [
    { what: "first load", limit: first, plugins: [leaveOutDynamicImports] },
    { what: "whole", limit: whole, plugins: [] },
  ].map(({ what, limit, plugins }) => ({
    name: `import { ${members} } from ${path}, ${what}`,
    path,
    import: `{ ${members} }`,
    limit: `${limit} kB`,
    gzip: true,
    // The chunks of a split build import one another for nothing here and there; esbuild warns of each.
    modifyEsbuildConfig: (config) => ({
      ...config,
      plugins: [...(config.plugins ?? []), ...plugins],
      logLevel: "error",
      platform: "browser",
      format: "esm",
    }),
  })),
);
