// What a page downloads for one import of a published package: bundled from dist, minified, compressed by gzip.
const LIMITS = [
  ["reader", "index", "open", "80.5 kB"],
  ["reader", "core", "open", "66 kB"],
  ["resolver", "index", "openResolved", "82 kB"],
  ["writer", "index", "createFile, shuffle, deflate", "68 kB"],
  ["datatypes", "index", "decodeDatatype", "5 kB"],
  ["framing", "index", "locateSuperblock", "3.2 kB"],
];

export default LIMITS.map(([name, file, member, limit]) => ({
  name: `import { ${member} } from "@h5/${name}${file === "index" ? "" : `/${file}`}"`,
  path: `packages/${name}/dist/${file}.js`,
  import: `{ ${member} }`,
  limit,
  gzip: true,
  // The chunks of a split build import one another for nothing here and there; esbuild warns of each.
  modifyEsbuildConfig: (config) => ({ ...config, logLevel: "error", platform: "browser" }),
}));
