import type { Fault } from "./fault.ts";
import { FILE_FAULTS } from "./file.ts";
import { LINK_FAULTS } from "./links.ts";
import { OBJECT_FAULTS } from "./objects.ts";
import { STORAGE_FAULTS } from "./storage.ts";

/** The faults that are planted in `soundFile`, in both its formats. */
export const FAULTS: readonly Fault[] = [...FILE_FAULTS, ...LINK_FAULTS, ...OBJECT_FAULTS, ...STORAGE_FAULTS];
