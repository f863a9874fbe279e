import type { FileSpace } from "@h5/framing";
import type { PlannedMessage } from "./object-header.ts";

/** A part of an object to be written: its messages, whose sizes hold from the start. */
export interface Part {
  readonly messages: readonly PlannedMessage[];
  readonly steps?: PartSteps | undefined;
}

/**
 * What must be written elsewhere before the bodies of all messages of a part are known. The steps are taken in this order,
 * each for all parts of all objects.
 */
export interface PartSteps {
  /** Writes metadata that needs no more than the addresses of objects. */
  build?(space: FileSpace): void;
  /** Writes elements; undefined where there is nothing to wait for. */
  writeElements?(): Promise<void> | undefined;
  /** Writes what leads to the elements. */
  index?(space: FileSpace): void;
}
