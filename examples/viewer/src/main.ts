import { defaultFilters } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import type { H5File, ReadOptions } from "@h5/reader";
import { baseUrlResolver, fileListResolver, openResolved } from "@h5/resolver";
import "./style.css";
import { byId } from "./element.ts";
import { showObject } from "./object-view.ts";
import { cancel, showError, task } from "./task.ts";
import { showTree } from "./tree.ts";

const filters = [...defaultFilters, ...communityFilters];

/** Opens a file and shows its tree. */
async function openFile(name: string, open: (options: ReadOptions) => Promise<H5File>): Promise<void> {
  cancel();
  byId("tree").replaceChildren();
  byId("object").replaceChildren();
  const file = await task("open", `Opening ${name}`, open);
  if (file === undefined) return;
  document.title = `${name} – HDF5 viewer`;
  await showTree(
    byId("tree"),
    file,
    (object, path) => void showObject(byId("object"), file, object, path).catch(showError),
  );
}

function openUrl(url: string): Promise<void> {
  const name = new URL(url).pathname.split("/").at(-1)!;
  return openFile(name, ({ signal }) => openResolved(url, baseUrlResolver(url), { filters, signal }));
}

/** Opens the first file; the others are there for what it refers to. */
async function openFiles(files: readonly File[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  await openFile(first.name, ({ signal }) => openResolved(first.name, fileListResolver(files), { filters, signal }));
}

byId("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const { value } = byId<HTMLInputElement>("url");
  history.replaceState(null, "", `?url=${encodeURIComponent(value)}`);
  void openUrl(value);
});
byId("files").addEventListener("change", ({ target }) => void openFiles([...(target as HTMLInputElement).files!]));
byId("cancel").addEventListener("click", () => cancel());
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") cancel();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  void openFiles([...(event.dataTransfer?.files ?? [])]);
});

const given = new URLSearchParams(location.search).get("url");
if (given !== null) {
  byId<HTMLInputElement>("url").value = given;
  void openUrl(given);
}
