/** The identity under which a process claims work, until others declare it gone. */
export interface Life {
  /** The id for claims; null if nobody would take over. */
  readonly id: string | null
  /** Aborted when others have taken over its claims. */
  readonly lost: AbortSignal
  /**
   * Returns whether nobody can have declared it gone yet; false after the process was frozen.
   */
  isSure(): boolean
}

/** The liveness of a process, as others see it. */
export interface Presence {
  /** Returns the life to claim under; null while others may have declared this process gone. */
  life(): Life | null
}

/** The life of a process that shares its work with nobody: its claims end with their leases. */
export const ALONE: Life = { id: null, lost: new AbortController().signal, isSure: () => true }

/** The presence of a process that shares its work with nobody. */
export const alone: Presence = { life: () => ALONE }
