/** The time, as the one who makes the port has it: real, virtual or a rehearsal's. */
export interface PortClock {
  /** RFC 3339, UTC. */
  now(): string
  /** Milliseconds since the epoch. */
  milliseconds(): number
}

/** Waits. @throws the signal's reason when that ends it */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>
