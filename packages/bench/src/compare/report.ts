import { median } from "../harness.ts";
import { coldOf, cpuOf, type Outcome, type Reached, ratio, warmOf } from "./rounds.ts";

const MIB = 2 ** 20;

/** The libraries that ratios are to. */
const OTHERS = ["h5py", "h5wasm", "jsfive"] as const;

/** Lines for a terminal: what each peer took in a case, and how ours stands to it. */
export function linesOf({ case: { id, what }, reached }: Outcome): string[] {
  const ours = reached.filter(({ peer }) => peer.library === "ours");
  const lines = reached.map((each) => {
    const name = each.peer.name.padEnd(16);
    if (each.rounds.length === 0) return `  ${name} ${each.failure}`;
    const times = [coldOf, warmOf, cpuOf].map((time) => median(each.rounds.map(time)).toFixed(1).padStart(9));
    const ratios = ours
      .filter((own) => own !== each && each.peer.library !== "ours" && own.rounds.length === each.rounds.length)
      .map((own) => `${own.peer.name}/it ${ratiosText(own, each)} (${shortened(ratio(own, each, cpuOf))})`);
    const failed = each.failure === undefined ? [] : [each.failure];
    return [`  ${name}${times.join("")} ms ${peakText(each).padStart(5)} MiB`, ...ratios, ...failed].join("  ");
  });
  return [`${id}: ${what}`, ...lines];
}

/** Ratios of the cold and of the warm runs. */
function ratiosText(of: Reached, to: Reached): string {
  return [coldOf, warmOf].map((time) => shortened(ratio(of, to, time))).join(" / ");
}

function shortened(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2);
}

function peakText({ rounds }: Reached): string {
  return Math.round(median(rounds.map(({ peak }) => peak)) / MIB).toString();
}

/** A Markdown table: ratios of ours to each of the others, cold / warm, and peak memory. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const head = ["case", "what", "how", ...OTHERS.map((name) => `ours ÷ ${name}`), "peak MiB", "theirs"];
  const rows = outcomes.flatMap((outcome) => {
    return outcome.reached.filter(({ peer }) => peer.library === "ours").map((own) => rowOf(outcome, own));
  });
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowOf({ case: { id, what }, reached }: Outcome, own: Reached): string[] {
  const how = own.peer.name.split("+").slice(1).join(", ");
  const others = OTHERS.map((name) => reached.find(({ peer }) => peer.library === name));
  const ratios = others.map((other) => {
    if (other === undefined) return "";
    return other.failure === undefined && own.rounds.length > 0 ? ratiosText(own, other) : "–";
  });
  const peaks = others.map((other) => (other === undefined || other.failure !== undefined ? "–" : peakText(other)));
  return [id, what, how, ...ratios, own.rounds.length > 0 ? peakText(own) : "–", peaks.join(" / ")];
}
