/** The identity under which a process claims work, as long as nobody declares it gone. */
export interface Life {
  /** The id for claims; null if nobody would take over. */
  readonly id: string | null
  /** Aborted when others have taken over what it held. */
  readonly lost: AbortSignal
  /**
   * Returns whether nobody can have declared it gone by now; false in a process that stood still.
   */
  isSure(): boolean
}

/** The liveness of a process, as others see it. */
export interface Presence {
  /** The life to claim under; null while others may take this process for gone. */
  life(): Life | null
}

/** The life of one that shares its work with nobody: what it holds ends with its lease. */
export const ALONE: Life = { id: null, lost: new AbortController().signal, isSure: () => true }

/** The presence of one that shares its work with nobody. */
export const alone: Presence = { life: () => ALONE }
