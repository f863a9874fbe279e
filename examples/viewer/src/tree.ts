import type { Group, H5Object, Link } from "@h5/reader";
import { element } from "./element.ts";
import { errorElement, task } from "./task.ts";

/** Links of a group that are shown at a time: each is opened to tell what it leads to. */
const BATCH = 100;

/** Called with each object that the user chooses. */
type Select = (object: H5Object, path: string) => void;

/** Fills the tree with the root of a file, opened, and chosen. */
export async function showTree(tree: HTMLElement, root: Group, select: Select): Promise<void> {
  const item = itemOf("/", "/", root, 1);
  item.tabIndex = 0;
  tree.replaceChildren(item);
  tree.onclick = ({ target }) => activate((target as Element).closest("[role=treeitem]"), select);
  tree.onkeydown = (event) => {
    const at = event.target as HTMLElement;
    if (event.key === "Enter" || event.key === " ") activate(at, select);
    else if (!moveByKey(tree, at, event.key)) return;
    event.preventDefault();
  };
  activate(item, select);
}

/** What stands behind an item of the tree. */
interface TreeNode {
  readonly path: string;
  readonly level: number;
  readonly object?: H5Object | undefined;
  /** Of an item that stands for the rest of a group: shows more of it. */
  readonly more?: () => Promise<void>;
}

const nodes = new WeakMap<Element, TreeNode>();

function itemOf(text: string, path: string, object: H5Object | undefined, level: number): HTMLElement {
  const item = element(
    "div",
    { role: "treeitem", tabIndex: -1, "aria-level": level, "aria-selected": false, "data-path": path },
    element("span", { className: object?.kind ?? "link" }, text),
  );
  if (object?.kind === "group") item.setAttribute("aria-expanded", "false");
  nodes.set(item, { path, object, level });
  return item;
}

async function expand(item: HTMLElement): Promise<void> {
  const { object, path, level } = nodes.get(item)!;
  if (object?.kind !== "group" || item.getAttribute("aria-expanded") === "true") return;
  item.setAttribute("aria-expanded", "true");
  if (item.querySelector("[role=group]") !== null) return;
  const list = element("div", { role: "group" });
  item.append(list);
  const links = await task("tree", `Listing ${path}`, (options) => object.links(options));
  if (links !== undefined && (await addBatch(list, object, links, path, level + 1))) return;
  // Not shown, or not all: to be tried again when the user opens the group again.
  list.remove();
  item.setAttribute("aria-expanded", "false");
}

/** Adds a batch of a group's links, and an item that adds the next one; whether it could. */
async function addBatch(
  list: Element,
  group: Group,
  links: readonly Link[],
  path: string,
  level: number,
): Promise<boolean> {
  const batch = links.slice(0, BATCH);
  const prefix = path === "/" ? "/" : `${path}/`;
  const opened = await task("tree", `Reading ${batch.length} objects of ${path}`, (options) =>
    Promise.allSettled(batch.map(({ name }) => group.get(name, options))),
  );
  if (opened === undefined) return false;
  for (const [i, link] of batch.entries()) {
    const found = opened[i]!;
    // One that does not open leaves its siblings as they are.
    const object = found.status === "fulfilled" ? found.value : undefined;
    const item = itemOf(labelOf(link), prefix + link.name, object, level);
    if (found.status === "rejected") item.firstElementChild!.append(errorElement(found.reason));
    list.append(item);
  }
  if (links.length > BATCH) list.append(moreItem(list, group, links.slice(BATCH), path, level));
  return true;
}

function moreItem(list: Element, group: Group, rest: readonly Link[], path: string, level: number): HTMLElement {
  const item = itemOf(`${rest.length} more …`, path, undefined, level);
  const more = async (): Promise<void> => {
    const focused = document.activeElement === item;
    const { previousElementSibling } = item;
    if (!(await addBatch(list, group, rest, path, level))) return;
    const next = item.nextElementSibling as HTMLElement | null;
    item.remove();
    if (focused) focus(next ?? (previousElementSibling as HTMLElement));
  };
  nodes.set(item, { path, level, more });
  return item;
}

function labelOf(link: Link): string {
  switch (link.type) {
    case "hard":
      return link.name;
    case "soft":
      return `${link.name} → ${link.target}`;
    case "external":
      return `${link.name} → ${link.file}:${link.target}`;
    case "broken":
      return link.name;
    case "user":
      return `${link.name} (link of class ${link.class})`;
  }
}

/** What a click or Enter does: a group opens or closes, and what is chosen is shown. */
function activate(item: HTMLElement | null, select: Select): void {
  if (item === null) return;
  focus(item);
  const { object, path, more } = nodes.get(item)!;
  if (more !== undefined) void more();
  if (object === undefined) return;
  item.closest("[role=tree]")!.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
  item.setAttribute("aria-selected", "true");
  if (item.getAttribute("aria-expanded") === "true") item.setAttribute("aria-expanded", "false");
  else void expand(item);
  select(object, path);
}

function focus(item: HTMLElement): void {
  for (const other of item.closest("[role=tree]")!.querySelectorAll("[tabindex='0']"))
    (other as HTMLElement).tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

/** The keys of a tree in the ARIA practices; whether the key was one. */
function moveByKey(tree: HTMLElement, item: HTMLElement, key: string): boolean {
  const open = item.getAttribute("aria-expanded") === "true";
  const shown = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((one) => one.offsetParent !== null);
  const at = shown.indexOf(item);
  const to = (target: Element | null | undefined): boolean => {
    if (target) focus(target as HTMLElement);
    return true;
  };
  switch (key) {
    case "ArrowDown":
      return to(shown[at + 1]);
    case "ArrowUp":
      return to(shown[at - 1]);
    case "Home":
      return to(shown[0]);
    case "End":
      return to(shown.at(-1));
    case "ArrowRight":
      if (open) return to(item.querySelector("[role=treeitem]"));
      void expand(item);
      return true;
    case "ArrowLeft":
      if (!open) return to(item.parentElement!.closest("[role=treeitem]"));
      item.setAttribute("aria-expanded", "false");
      return true;
    default:
      return false;
  }
}
