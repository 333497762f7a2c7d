interface Sent {
  /** `pending:` and its key until the server has stored it. */
  readonly id: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** The event of a message can come before the answer: until then, both it and the pending one are in the list. */
export const shown = <Message extends Sent>(messages: readonly Message[]): Message[] =>
  messages.filter(
    (one) =>
      !one.id.startsWith('pending:') ||
      messages.every((other) => other === one || other.idempotencyKey !== one.idempotencyKey),
  );
