/** Options of a sink's steps. */
export interface SinkOptions {
  /** Ends the wait of a step that may take long for others' sake, as where a stream's reader has stalled. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a written file goes: memory, a file, a stream. One sink takes one file; its steps never overlap. */
export interface ByteSink {
  /** Takes `bytes` at `position`. The bytes are not kept: they may change once the answer is there. */
  write(position: number, bytes: Uint8Array<ArrayBuffer>, options?: SinkOptions): void | Promise<void>;
  /** True where each write must begin at the end of the one before, the first at 0: a stream that cannot seek. */
  readonly sequential?: boolean | undefined;
  /** Called once after the last write; only now is the file complete. */
  close?(options?: SinkOptions): void | Promise<void>;
  /**
   * Called once where writing failed or was aborted, {@link close} itself included: what was written is worth nothing.
   * What it throws is lost, since `reason` is what the caller must see.
   */
  abort?(reason: unknown): void | Promise<void>;
}
