import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Names of the folders of published packages. */
export function published() {
  return readdirSync(join(root, "packages")).filter((name) => {
    const { private: hidden } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    return !hidden;
  });
}

/** Packs a package as it is published, below a folder; the tarball's path. */
export function pack(name, folder) {
  const target = join(folder, name);
  execFileSync("pnpm", ["pack", "--pack-destination", target], { cwd: join(root, "packages", name), stdio: "pipe" });
  return join(target, readdirSync(target)[0]);
}
