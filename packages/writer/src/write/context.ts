import type { FileModel } from "../model/file.ts";
import type { ObjectModel } from "../model/objects.ts";
import type { Placement } from "../model/placement.ts";
import type { PlannedMessage } from "./object-header.ts";
import type { SinkSpace } from "./sink-space.ts";

/** What the parts of a file share while it is written. */
export interface WriteContext extends Placement {
  readonly model: FileModel;
  /** Whether nothing is kept of what is written, so that data which comes but once must not be asked for. */
  readonly dry: boolean;
  readonly space: SinkSpace;
  /** Ends the write. */
  readonly signal: AbortSignal | undefined;
  /** Address of an object's header. */
  addressOf(object: ObjectModel): number;
  /** The name of an object, for errors. */
  pathOf(object: ObjectModel): string;
  /** The message itself, or a pointer to it in the file's shared messages where it belongs there. */
  share(message: PlannedMessage): PlannedMessage;
}
