/** The source of time, which the port's creator provides: real, virtual or a rehearsal's. */
export interface PortClock {
  /** Returns the time in RFC 3339, in UTC. */
  now(): string
  /** Returns the milliseconds since the epoch. */
  milliseconds(): number
}

/** Waits. @throws the signal's reason if it aborts */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>
