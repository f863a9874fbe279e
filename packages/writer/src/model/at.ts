import { atPath } from "@h5/framing";

/** Runs what may find fault with the caller's input, so that the error names the object. */
export function at<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw atPath(error, path);
  }
}
