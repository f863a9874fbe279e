/** One message of an object header: its envelope decoded, its body as it stands (spec IV.A.1). */
export interface HeaderMessage {
  /** One of `messageType`, or a number these packages do not know. */
  readonly type: number;
  /** Bits of `messageFlag`. */
  readonly flags: number;
  /** The body, a view of the bytes read; version 1 headers pad it to a multiple of 8. */
  readonly body: Uint8Array;
  /** Address of the body. */
  readonly address: number;
  /** Version 2 headers that track attribute creation order: the message's place in it. */
  readonly creationOrder?: number | undefined;
}

/** What an encoder needs of a message. */
export type MessageContent = Omit<HeaderMessage, "address">;
